import { Type } from "@sinclair/typebox";
import type { FastifyRequest } from "fastify";
import { findJob, type JobRow } from "../records/jobs.ts";
import type { ApiHost } from "./api-host.ts";
import { getCaller } from "./login-gate.ts";
import { describeRefusals, Refusal } from "./refusal.ts";

/** The path of a route about one job. */
export const jobPath = Type.Object({
  id: Type.String({ description: "The number of a job of the caller." }),
});

/** The refusals of such a route. */
export function describeJobRefusals({ config }: Pick<ApiHost, "config">) {
  return describeRefusals(401, 404, config.flags.jobIdError);
}

/** The caller's job of the path; one of somebody else is as good as none. @throws Refusal */
export function findOwnJob({ records, config }: ApiHost, request: FastifyRequest, id: string): JobRow {
  if (!/^\d{1,15}$/.test(id))
    throw new Refusal(config.flags.jobIdError, `invalid job_id: ${id.slice(0, 100)}`);
  const job = findJob(records, Number(id));
  if (job?.userId !== getCaller(request).id) throw new Refusal(404, `there is no job ${id}`);
  return job;
}
