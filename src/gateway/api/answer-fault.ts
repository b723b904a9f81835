import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { SortieError } from "../../base/error.ts";
import type { ApiHost } from "./api-host.ts";
import { makeErrorReply, Refusal } from "./refusal.ts";

/** When a client may try again what the database did not take. */
const RETRY_AFTER_S = 5;

/**
 * Answers whatever was thrown below a route. What the client could not have done better is told to the organiser and not to
 * the client: its text may name files.
 */
export function makeFaultHandler({ reportFault }: Pick<ApiHost, "reportFault">) {
  return (fault: FastifyError, _request: FastifyRequest, reply: FastifyReply): void => {
    if (fault instanceof Refusal) reply.headers(fault.headers);
    const status = fault.statusCode ?? 500;
    if (fault.code === "FST_ERR_BAD_URL") {
      // Its own text repeats the address, and with it what stands in a query.
      reply.code(400).send(makeErrorReply("the path is not a valid URL"));
      return;
    }
    if (fault instanceof Refusal || (status >= 400 && status < 500)) {
      reply.code(status).send(makeErrorReply(fault.message));
      return;
    }
    reportFault(fault);
    if (isPassing(fault)) {
      reply.code(503).header("retry-after", String(RETRY_AFTER_S));
      reply.send(makeErrorReply(`the gateway cannot use its database now: try again in ${RETRY_AFTER_S} s`));
      return;
    }
    reply.code(500).send(makeErrorReply("the gateway met a fault of its own; its log says more"));
  };
}

/** Whether the same request may go well later: a database that is held by another program, or a disk that is full. */
function isPassing(fault: unknown): boolean {
  return fault instanceof SortieError && fault.retryable;
}
