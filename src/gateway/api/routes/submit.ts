import { randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import type { FastifyRequest } from "fastify";
import type { BoardConfig } from "../../config/gateway-config.ts";
import { hashToken, makeJobToken } from "../../job-token.ts";
import { insertJob, type NewCase } from "../../records/jobs.ts";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { checkSubmission, Submission } from "../check-submission.ts";
import { type LoginGate, loginSecurity, rereadCaller } from "../login-gate.ts";
import { checkQuota } from "../quota.ts";
import { describeRefusals } from "../refusal.ts";

const Submitted = Type.Object({
  id: Type.Integer(),
  uuid: Type.String(),
  parallelism: Type.Integer(),
  tunnel_endpoint: Type.String(),
  job_token: Type.Optional(Type.String({ description: "Opens the tunnels of this job. It is told once." })),
});

export function addSubmitRoute(app: ApiServer, host: ApiHost, gate: LoginGate): void {
  const schema = {
    summary: "Submits a job. Uses one submission of today, but only where the job is accepted.",
    security: loginSecurity,
    body: Submission,
    response: { 200: Submitted, ...describeRefusals(400, 401, 413, 415) },
  };
  app.post("/api/challenge/job", { schema, onRequest: gate }, async (request) =>
    submitJob(host, request, request.body),
  );
}

function submitJob(host: ApiHost, request: FastifyRequest, submission: Static<typeof Submission>) {
  const board = checkSubmission(host.config, submission);
  const uuid = randomUUID();
  const token = makeJobToken();
  const { name, config } = submission;
  // The last submission of a day is given once, however many ask for it at a time.
  const { id, parallelism } = host.records.together(() => {
    const user = rereadCaller(host.records, request);
    const { day } = checkQuota(host, user);
    const parallelism = user.parallelism ?? host.config.parallelism;
    const job = {
      ...{ uuid, name, parallelism, userId: user.id, board: board.name, modelName: config.model_name },
      description: config.description || undefined,
      paperLink: config.paper_link || undefined,
      tokenHash: hashToken(token),
      quotaDay: day,
      cases: listCases(board),
    };
    return { id: insertJob(host.records, job, host.clock.now()), parallelism };
  });
  host.openJob(id);
  const reply = { id, uuid, parallelism, tunnel_endpoint: host.tunnelEndpoint() };
  return host.config.flags.jobToken ? { ...reply, job_token: token } : reply;
}

function listCases({ tasks }: BoardConfig): NewCase[] {
  return tasks.flatMap(({ name, cases, seed }, taskIndex) =>
    Array.from({ length: cases }, (_, index) => ({
      ...{ task: name, taskId: taskIndex + 1, index, seed: seed + index },
    })),
  );
}
