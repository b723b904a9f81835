import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { ApiHost } from "./api-host.ts";
import { makeErrorReply, Refusal } from "./refusal.ts";

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
    reply.code(500).send(makeErrorReply("the gateway met a fault of its own; its log says more"));
  };
}
