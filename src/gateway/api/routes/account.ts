import { Type } from "@sinclair/typebox";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { getCaller, type LoginGate, loginSecurity } from "../login-gate.ts";
import { checkQuota, readQuota } from "../quota.ts";
import { describeRefusals } from "../refusal.ts";

const User = Type.Object({
  name: Type.String(),
  max_concurrent_cases: Type.Integer({ description: "Agents at once." }),
});
const Quota = Type.Object(
  { limit: Type.Integer(), used: Type.Integer(), remaining: Type.Integer() },
  { description: "Submissions of today." },
);

/** What an account may do. */
export function addAccountRoutes(app: ApiServer, host: ApiHost, gate: LoginGate): void {
  const refusals = describeRefusals(401);
  const security = loginSecurity;

  const user = { summary: "Who is logged in.", security, response: { 200: User, ...refusals } };
  app.get("/api/challenge/current-user-info", { schema: user, onRequest: gate }, async (request) => {
    const { name, parallelism } = getCaller(request);
    return { name, max_concurrent_cases: parallelism ?? host.config.parallelism };
  });

  const quota = { summary: "What is left of today.", security, response: { 200: Quota, ...refusals } };
  app.get("/api/challenge/submission/quota", { schema: quota, onRequest: gate }, async (request) => {
    const { limit, used, remaining } = readQuota(host, getCaller(request));
    return { limit, used, remaining };
  });

  const check = {
    summary: "Whether a job may be submitted now.",
    security,
    response: { 200: Type.Object({ status: Type.Literal("ok") }), ...describeRefusals(400, 401) },
  };
  app.get("/api/challenge/model/upload/check", { schema: check, onRequest: gate }, async (request) => {
    checkQuota(host, getCaller(request));
    return { status: "ok" as const };
  });

  const endpoint = {
    summary: "What agents dial.",
    security,
    response: { 200: Type.String({ description: "A ws:// or wss:// address, as JSON text." }), ...refusals },
  };
  app.get("/api/challenge/tunnel/endpoint", { schema: endpoint, onRequest: gate }, async (_request, reply) =>
    reply.type("application/json").send(JSON.stringify(host.tunnelEndpoint())),
  );
}
