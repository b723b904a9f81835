import type { IncomingMessage, ServerResponse } from "node:http";
import rateLimit from "@fastify/rate-limit";
import swagger from "@fastify/swagger";
import Fastify, { type RouteOptions } from "fastify";
import { makeFaultHandler } from "./answer-fault.ts";
import type { ApiHost } from "./api-host.ts";
import type { ApiServer } from "./api-server.ts";
import { BoardRanks } from "./board-ranks.ts";
import { compileInputCheck } from "./check-input.ts";
import { makeLoginGate } from "./login-gate.ts";
import { describeApi } from "./open-api.ts";
import { describeRefusals } from "./refusal.ts";
import { refuseUnknown } from "./refuse-unknown.ts";
import { addAccountRoutes } from "./routes/account.ts";
import { addHeadRoute } from "./routes/head.ts";
import { addJobRoutes } from "./routes/jobs.ts";
import { addLeaderboardRoutes } from "./routes/leaderboard.ts";
import { addLogRoute } from "./routes/log.ts";
import { addLoginRoutes, LOGIN_PATH } from "./routes/login.ts";
import { addOpenApiRoute } from "./routes/open-api.ts";
import { addResultRoute } from "./routes/result.ts";
import { addScoreRoutes } from "./routes/scores.ts";
import { addSimulatorRoutes } from "./routes/simulators.ts";
import { addSubmitRoute } from "./routes/submit.ts";
import { addVideosRoute } from "./routes/videos.ts";

const BODY_LIMIT_BYTES = 64 * 1024;
/** Longer than any header: a path is never refused for its length in words of the router's own. */
const PARAM_LIMIT = 64 * 1024;

/** Addresses and accounts whose tries to log in are counted; with more of them the ones seen longest ago begin anew. */
const COUNTED = 50_000;

/** The challenge API over somebody else's HTTP server. */
export interface Api {
  /** Answers one request, whatever it is. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

/** Builds the API of PROTOCOL 1.2 and the calls of simulators from outside, each with schemas of what goes in and out. */
export async function makeApi(host: ApiHost): Promise<Api> {
  const app = await makeServer(host);
  const gate = makeLoginGate(app, host);
  const ranks = new BoardRanks(host.records);
  addLoginRoutes(app, host);
  addAccountRoutes(app, host, gate);
  addSubmitRoute(app, host, gate);
  addJobRoutes(app, host, gate);
  addResultRoute(app, host, gate);
  addLogRoute(app, host, gate);
  if (host.config.flags.videos) {
    addVideosRoute(app, host, gate);
    addHeadRoute(app, host);
  }
  addLeaderboardRoutes(app, host, ranks);
  addScoreRoutes(app, host, gate, ranks);
  addSimulatorRoutes(app, host);
  addOpenApiRoute(app);
  await app.ready();
  return { handle: (request, response) => app.routing(request, response), close: () => app.close() };
}

async function makeServer(host: ApiHost): Promise<ApiServer> {
  const answerFault = makeFaultHandler(host);
  const app: ApiServer = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    // One proxy, the last one: what stands before it in X-Forwarded-For is what the client made up.
    trustProxy: host.config.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    routerOptions: { maxParamLength: PARAM_LIMIT },
    frameworkErrors: answerFault,
    // Whoever owns the server stops it first; what is still under way is answered, and in the one shape.
    return503OnClosing: false,
  });
  app.removeContentTypeParser("text/plain"); // a body is JSON, or it is 415
  app.setValidatorCompiler(compileInputCheck);
  app.setErrorHandler(answerFault);
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method, routeOptions, url } = request;
    const { statusCode: status, elapsedTime: ms } = reply;
    host.countRequest({ method, route: routeOptions.url ?? "none", status, ms });
    if (url.startsWith(LOGIN_PATH) && status === 401) host.countLoginRefused("wrong");
    if (url.startsWith(LOGIN_PATH) && status === 429) host.countLoginRefused("too_many");
  });
  refuseUnknown(app);
  describeOutages(app);
  await app.register(rateLimit, { global: false, cache: COUNTED });
  await app.register(swagger, describeApi());
  return app;
}

/** Whatever a route does may need the database. */
function describeOutages(app: ApiServer): void {
  app.addHook("onRoute", (route: RouteOptions) => {
    const { response, ...schema } = route.schema ?? {};
    route.schema = { ...schema, response: { ...describeRefusals(503), ...(response as object) } };
  });
}
