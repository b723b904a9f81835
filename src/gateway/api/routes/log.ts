import { type Static, Type } from "@sinclair/typebox";
import { type AttemptRow, failureReasons, findNewestFailure } from "../../records/attempts.ts";
import { findCase } from "../../records/cases.ts";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { type LoginGate, loginSecurity } from "../login-gate.ts";
import { orNull } from "../or-null.ts";
import { findOwnJob, jobPath } from "../own-job.ts";
import { describeRefusals, Refusal } from "../refusal.ts";

const FAILED = 1;
const BY_SIMULATOR = "simulator_error";

const Log = Type.Object({
  id: Type.Integer(),
  job_id: Type.Integer(),
  task_id: Type.Integer(),
  case_id: Type.Integer(),
  run_instance_id: Type.String({ description: "The session." }),
  worker_id: Type.String({ description: "The agent." }),
  status: Type.Integer({ description: "1: it failed." }),
  failure_reason: Type.Integer({ description: "The numbers of the documents; 9: the tunnel was lost." }),
  result: Type.Optional(
    Type.Object({
      failure: Type.String({
        description: `The failure_reason in words, or ${BY_SIMULATOR}: it was not the contestant's doing.`,
      }),
      error: orNull(Type.String()),
    }),
  ),
  stdout: Type.Optional(Type.String()),
  stderr: Type.Optional(Type.String()),
  exit_code: Type.Optional(Type.Integer()),
  created_at: Type.String(),
});

export function addLogRoute(app: ApiServer, host: ApiHost, gate: LoginGate): void {
  const { records, config } = host;
  const schema = {
    summary: "The newest failed attempt at a case of a job; 500, as on the platform, where there is none.",
    security: loginSecurity,
    params: jobPath,
    response: { 200: Log, ...describeRefusals(400, 401, 404, 500) },
  };
  app.get("/api/challenge/job/:id/log", { schema, onRequest: gate }, async (request) => {
    const job = findOwnJob(host, request, request.params.id);
    const attempt = findNewestFailure(records, job.id);
    if (attempt === undefined) throw new Refusal(500, "failed to get case exec log: no case has failed");
    const taskId = findCase(records, attempt.caseId)?.taskId ?? 0;
    return { ...describeAttempt(attempt, taskId), ...describeEnd(attempt, config.flags.statusStyle) };
  });
}

function describeAttempt(attempt: AttemptRow, taskId: number) {
  return {
    ...{ id: attempt.id, job_id: attempt.jobId, task_id: taskId, case_id: attempt.caseId },
    ...{ run_instance_id: attempt.sessionId, worker_id: attempt.agentId },
    ...{ status: FAILED, failure_reason: attempt.failureReason, created_at: attempt.startedAt },
  };
}

/** The first documents have the output of a process in its place; a gateway has none, but what it knows of the end. */
function describeEnd(
  { failureReason, isBySimulator, detail }: AttemptRow,
  style: "old" | "new",
): Partial<Static<typeof Log>> {
  const word = Object.entries(failureReasons).find(([, number]) => number === failureReason)?.[0];
  const failure = isBySimulator ? BY_SIMULATOR : (word ?? "unknown");
  if (style === "new") return { result: { failure, error: detail } };
  return { stdout: "", stderr: detail === null ? failure : `${failure}: ${detail}`, exit_code: 1 };
}
