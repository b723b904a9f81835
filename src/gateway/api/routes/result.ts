import { Type } from "@sinclair/typebox";
import { listCases } from "../../records/cases.ts";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { findOldWord } from "../job-words.ts";
import { type LoginGate, loginSecurity } from "../login-gate.ts";
import { orNull } from "../or-null.ts";
import { describeJobRefusals, findOwnJob, jobPath } from "../own-job.ts";
import { totalScores } from "../total-scores.ts";

const TaskScores = Type.Object({
  score: Type.Array(orNull(Type.Number()), { description: "A case each; null: without a score." }),
  total: orNull(Type.Number()),
});
const Result = Type.Object({
  status: Type.Optional(Type.String({ description: "In words; only as the first documents have it." })),
  tasks: Type.Record(Type.String(), TaskScores),
  total: orNull(Type.Number({ description: "null: nothing has a score." })),
});

export function addResultRoute(app: ApiServer, host: ApiHost, gate: LoginGate): void {
  const schema = {
    summary: "The scores of a job, as far as it is.",
    security: loginSecurity,
    params: jobPath,
    response: { 200: Result, ...describeJobRefusals(host) },
  };
  app.get("/api/challenge/job/:id/result", { schema, onRequest: gate }, async (request) => {
    const job = findOwnJob(host, request, request.params.id);
    const { flags } = host.config;
    const { tasks, total } = totalScores(listCases(host.records, job.id), flags);
    if (flags.statusStyle === "new") return { tasks, total };
    return { status: findOldWord(job, host.findLiveJob(job.id)), tasks, total };
  });
}
