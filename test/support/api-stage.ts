import { createServer, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { makeLoginToken } from "../../src/gateway/accounts/login-token.ts";
import type {
  AnsweredRequest,
  ApiHost,
  CaseScore,
  LiveJob,
  ScoreOutcome,
} from "../../src/gateway/api/api-host.ts";
import { makeApi } from "../../src/gateway/api/make-api.ts";
import { type BehaviourName, behaviours } from "../../src/gateway/config/behaviours.ts";
import type { GatewayConfig } from "../../src/gateway/config/gateway-config.ts";
import { gatewayTimers } from "../../src/gateway/gateway-flags.ts";
import { openRecords } from "../../src/gateway/records/open-records.ts";
import { insertUser, type NewUser } from "../../src/gateway/records/users.ts";

interface ApiStageOptions {
  /** Default: sortie. */
  readonly behaviour?: BehaviourName;
  readonly config?: Partial<GatewayConfig>;
  readonly openSimulators?: boolean;
  readonly findRecording?: ApiHost["findRecording"];
}

interface Call {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The text as JSON; undefined where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it as it must be
  readonly body: any;
}

/**
 * The API over a real server and a real database in `dataFolder`, with a host of which a test says what its jobs do.
 * Ends with the test.
 */
export async function startApiStage(dataFolder: string, options: ApiStageOptions = {}) {
  const records = openRecords(dataFolder);
  const state = {
    now: new Date("2026-11-29T12:00:00Z"),
    live: new Map<number, LiveJob>(),
    opened: [] as number[],
    scores: [] as (CaseScore & { caseId: number })[],
    outcome: "taken" as ScoreOutcome,
    faults: [] as unknown[],
    requests: [] as AnsweredRequest[],
    refusedLogins: [] as string[],
  };
  const host: ApiHost = {
    config: makeConfig(dataFolder, options),
    records,
    clock: { now: () => state.now, monotonicMs: () => state.now.getTime(), sleep: () => Promise.resolve() },
    signingKey: Buffer.alloc(32, 7),
    tunnelEndpoint: () => "ws://127.0.0.1:9/api/challenge/tunnel",
    openJob: (id) => void state.opened.push(id),
    findLiveJob: (id) => state.live.get(id),
    scoreCase: (caseId, score) => {
      state.scores.push({ caseId, ...score });
      return state.outcome;
    },
    openSimulators: options.openSimulators ?? false,
    countRequest: (request) => void state.requests.push(request),
    countLoginRefused: (why) => void state.refusedLogins.push(why),
    reportFault: (fault) => void state.faults.push(fault),
    findRecording: options.findRecording ?? (() => undefined),
  };
  const api = await makeApi(host);
  const server = createServer((request, response) => api.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    await api.close();
    records.close();
  });
  return {
    host,
    records,
    state,
    port,
    call: (method: string, path: string, call?: Call) => callServer(port, method, path, call),
    get: (path: string, token?: string) => callServer(port, "GET", path, { token }),
    /** A user whose password nobody knows, with a token that is good now. */
    addUser: async (user: Partial<NewUser> = {}) => {
      const defaults = { email: "ann@example.org", name: "Ann", passwordHash: "-" };
      const added = insertUser(records, { ...defaults, ...user }, state.now);
      return { ...added, token: await makeLoginToken(host.signingKey, added, state.now) };
    },
  };
}

export type ApiStage = Awaited<ReturnType<typeof startApiStage>>;

function makeConfig(dataFolder: string, { behaviour = "sortie", config }: ApiStageOptions): GatewayConfig {
  return {
    file: "gateway.yaml",
    dataFolder,
    listen: { host: "127.0.0.1", port: 0 },
    publicUrl: undefined,
    trustProxy: false,
    policy: { openpi: undefined, corobot: undefined },
    quota: { limit: 4, timeZone: "+08:00" },
    parallelism: 2,
    caseAttempts: 3,
    boards: [
      makeBoard("manip", "echo", [
        { name: "pick", cases: 2, seed: 100 },
        { name: "place", cases: 3, seed: 7 },
      ]),
      makeBoard("robust", "outside", [{ name: "push", cases: 2, seed: 0 }]),
      makeBoard("bare", "echo", []),
    ],
    simulators: { workers: 1, caseTimeoutMs: 60_000, replyTimeoutMs: 60_000, scoreWaitMs: 1_000 },
    timers: gatewayTimers,
    flags: behaviours[behaviour],
    recordings: undefined,
    loginsPerMinute: 100,
    ...config,
  };
}

function makeBoard(
  name: string,
  simulator: "echo" | "outside",
  tasks: GatewayConfig["boards"][number]["tasks"],
): GatewayConfig["boards"][number] {
  return { name, payload: "opaque", simulator, steps: 3, tasks };
}

async function callServer(port: number, method: string, path: string, call: Call = {}): Promise<Answer> {
  const { token, body } = call;
  const isRaw = typeof body === "string" || Buffer.isBuffer(body);
  const content = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(content === undefined
      ? {}
      : { "content-type": "application/json", "content-length": Buffer.byteLength(content) }),
    ...call.headers,
  };
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method, path, headers, agent: false };
    const request = httpRequest(options, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) });
      });
    });
    request.on("error", reject);
    request.end(content);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a video, or nothing
  }
}
