import fc from "fast-check";
import Fastify from "fastify";
import { describe, expect, test } from "vitest";
import { addAttempt, addJob, endJob } from "../../../test/support/api-jobs.ts";
import { type Answer, type ApiStage, startApiStage } from "../../../test/support/api-stage.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { hashPassword } from "../accounts/password.ts";
import type { BehaviourName } from "../config/behaviours.ts";
import { insertSimulatorKey } from "../records/simulator-keys.ts";
import { sealLink } from "./signed-link.ts";

const folder = useTempFolder();
const behaviours: BehaviourName[] = ["sortie", "old", "new", "field"];

type Schema = Readonly<Record<string, unknown>>;

/** A call of the OpenAPI document. */
interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: Schema | undefined;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<Record<string, Schema | undefined>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface OperationObject {
  readonly parameters?: readonly Parameter[];
  readonly security?: Operation["security"];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

async function loadOperations({ get }: ApiStage): Promise<Operation[]> {
  const { body } = await get("/api/openapi.json");
  const paths = body.paths as Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ name: `${method} ${path}`, method: method.toUpperCase(), path },
      query: (operation.parameters ?? []).filter((each) => each.in === "query").map(({ name }) => name),
      body: operation.requestBody?.content["application/json"]?.schema,
      security: operation.security ?? [],
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, { content }]) => [
          ...[status, content?.["application/json"]?.schema],
        ]),
      ),
    })),
  );
}

/** Compiles a schema by what Fastify has in it, with nothing converted and nothing forgiven. */
async function makeJudge() {
  const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });
  let compile: ((schema: Schema) => (value: unknown) => boolean) | undefined;
  app.get("/", async (request) => {
    compile = (schema) => request.compileValidationSchema(schema) as (value: unknown) => boolean;
    return {};
  });
  await app.inject("/");
  await app.close();
  return compile as NonNullable<typeof compile>;
}

const calls = [
  ...["post challenge/login", "get challenge/login/refresh", "get challenge/current-user-info"],
  ...["get challenge/submission/quota", "get challenge/model/upload/check", "get challenge/tunnel/endpoint"],
  ...[
    "post challenge/job",
    "get challenge/jobs",
    "get challenge/job/{id}/result",
    "get challenge/job/{id}/log",
  ],
  ...["get challenge/best-score", "get challenge/leaderboard", "get challenge/leaderboard/top5"],
  ...["get challenge/leaderboard/{board}/detail", "get challenge/leaderboard/citation", "get openapi.json"],
  ...["get simulator/cases", "post simulator/case/{id}/score"],
];
const videoCalls = [
  "head challenge/episode/{episode_uuid}/head",
  ...["get challenge/job/{id}/episodes/videos", "get challenge/episode/{episode_uuid}/head"],
];

const words = [
  ...[
    "",
    "0",
    "1",
    "2",
    "-1",
    "1.5",
    "1e3",
    "999999999999999",
    "99999999999999999999",
    "NaN",
    "null",
    "true",
  ],
  ...[
    "manip",
    "robust",
    "bare",
    "asc",
    "desc",
    "id:asc",
    "score:desc",
    "rank",
    "pi0",
    "__proto__",
    "constructor",
  ],
  ...[
    "' OR 1=1 --",
    "1; DROP TABLE jobs",
    '"',
    "%",
    "../../etc/passwd",
    "..",
    "a/b",
    "a\\b",
    "\0",
    "\u001b[2J",
  ],
  ...[
    "x".repeat(5_000),
    "é",
    "\u202e",
    "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b",
    "f".repeat(64),
    "[object Object]",
  ],
];
const word = fc.oneof(fc.constantFrom(...words), fc.string({ unit: "binary", maxLength: 20 }));
const json = fc.oneof(
  fc.constantFrom<unknown>(null, 0, 1, 0.5, -1, 1e300, true, "", "manip", [], {}),
  word,
  fc.jsonValue({ maxDepth: 3 }),
);

/** What would be right, by the name of the key. */
type RightValues = Readonly<Record<string, unknown>>;

const mostly = <Value>(right: fc.Arbitrary<Value>, odd: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: odd });

/** A body that often has the right keys, with right values among odd ones. */
function makeBody(schema: Schema, right: RightValues, key = ""): fc.Arbitrary<unknown> {
  const properties = schema["properties"] as Readonly<Record<string, Schema>> | undefined;
  if (properties === undefined) return mostly(fc.constant(right[key]), json);
  const fields = Object.entries(properties).map(
    ([name, each]) => [name, makeBody(each, right, name)] as const,
  );
  return mostly(fc.record(Object.fromEntries(fields)), json);
}

function makeQuery(names: readonly string[], right: RightValues): fc.Arbitrary<[string, string][]> {
  const pairs = names.map((name) =>
    fc.tuple(fc.constant(name), mostly(fc.constant(String(right[name] ?? "")), word)),
  );
  const more = fc.tuple(fc.constantFrom("x", "page", ...names), word);
  return fc
    .tuple(fc.tuple(...pairs), mostly(fc.constant<[string, string][]>([]), fc.array(more, { maxLength: 4 })))
    .map((both) => both.flat());
}

function makeCall({ path, query, body, security }: Operation, right: RightValues) {
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => String(right[name]));
  const credential = right[Object.keys(security[0] ?? { login: [] })[0] ?? ""] as string;
  const oddTypes = ["text/plain", "x", "application/json; charset=utf-16", "multipart/form-data; boundary=x"];
  const oddBodies = ["", "{", "]", '{"__proto__":{"a":1}}', "\0", "[".repeat(20_000), "x".repeat(70_000)];
  const oddRaw = ["&", "&a=%zz", "&a=%ff%fe", "&page[]=1", "&__proto__=1", "?", "&page=1&page=2"];
  const oddCredentials = [undefined, "Bearer a.b.c", "Api-Key x", "Basic x", "", "Bearer \u00e9"];
  return fc.record({
    path: fc.tuple(...segments.map((segment) => mostly(fc.constant(segment), word))),
    query: makeQuery(query, right),
    raw: mostly(fc.constant(""), fc.constantFrom(...oddRaw)),
    authorization: mostly(fc.constant<string | undefined>(credential), fc.constantFrom(...oddCredentials)),
    type: mostly(
      fc.constant("application/json"),
      fc.constantFrom(...oddTypes, "application/x-www-form-urlencoded"),
    ),
    host: mostly(fc.constant(undefined), fc.constantFrom("a b", "[::1", "x".repeat(300), "user@host:99999")),
    content: mostly(
      makeBody(body ?? {}, right).map((value) => JSON.stringify(value) ?? ""),
      fc.constantFrom(...oddBodies),
    ),
  });
}

type OddCall = ReturnType<typeof makeCall> extends fc.Arbitrary<infer Call> ? Call : never;

function sendCall({ call }: ApiStage, operation: Operation, odd: OddCall): Promise<Answer> {
  let number = 0;
  const path = operation.path.replace(/\{\w+\}/g, () => encodeURIComponent(odd.path[number++] ?? ""));
  const query = odd.query.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  const headers = Object.fromEntries(
    Object.entries({ authorization: odd.authorization, host: odd.host }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as Record<string, string>;
  if (operation.method !== "POST") return call(operation.method, `${path}?${query}${odd.raw}`, { headers });
  return call("POST", `${path}?${query}${odd.raw}`, {
    headers: { ...headers, "content-type": odd.type },
    body: odd.content,
  });
}

async function startFilled(behaviour: BehaviourName) {
  const config = { loginsPerMinute: 1_000_000, quota: { limit: 1_000_000, timeZone: "Asia/Shanghai" } };
  const stage = await startApiStage(folder(), { behaviour, config });
  const user = await stage.addUser({ passwordHash: await hashPassword("secret") });
  const waiting = addJob(stage, user.id, { board: "robust" });
  addAttempt(stage, waiting, { reason: "timeout" });
  const scores = { pick: [0.5, null], place: [1] };
  const played = addJob(stage, user.id, { scores });
  endJob(stage, played, 2, 0.75);
  const episode_uuid = addAttempt(stage, played, { reason: "none", recording: "gone" });
  const { key } = insertSimulatorKey(stage.records, "robust", stage.state.now);
  const right: RightValues = {
    ...{ login: `Bearer ${user.token}`, simulator: `Api-Key ${key}`, user_uid: user.uid, episode_uuid },
    ...sealLink(stage.host.signingKey, episode_uuid, stage.state.now),
    ...{
      board: "manip",
      id: waiting,
      page: 1,
      "per-page": 5,
      per_page: 5,
      order: "asc",
      "sort-by": "id:asc",
    },
    ...{ sort: "score", q: "a", model_name: "pi0", name: "job", description: "a\nb", paper_link: "http://x" },
    ...{ score: 0.5, steps: 3, detail: "fell", email: "ann@example.org", password: "secret" },
  };
  return { stage, right };
}

describe.each(behaviours)("the OpenAPI document of %s", (behaviour) => {
  test("names every call, what it wants and what it refuses", async () => {
    const { stage } = await startFilled(behaviour);
    const { body } = await stage.get("/api/openapi.json");
    expect([body.openapi, Object.keys(body.components.securitySchemes)]).toEqual([
      "3.1.0",
      ["login", "simulator"],
    ]);
    const operations = await loadOperations(stage);
    const hasVideos = behaviour === "sortie" || behaviour === "new";
    const expected = [
      ...calls,
      ...(behaviour === "old" ? ["get challenge/login"] : []),
      ...(hasVideos ? videoCalls : []),
    ];
    expect(operations.map(({ name }) => name.replace("/api/", "")).sort()).toEqual(expected.sort());
    for (const { name, responses, security, method } of operations) {
      expect([name, responses["200"] === undefined]).toEqual([name, name.endsWith("/head")]);
      const wants = [
        ...(security.length > 0 ? ["401"] : []),
        ...(method === "POST" ? ["400", "413", "415"] : []),
      ];
      const isRefresh = name.endsWith("/refresh");
      expect([name, isRefresh ? [] : wants.filter((status) => !(status in responses))]).toEqual([name, []]);
    }
  });

  test("holds for whatever is sent: no other status, and no reply of another shape", async () => {
    const { stage, right } = await startFilled(behaviour);
    const compile = await makeJudge();
    for (const operation of await loadOperations(stage)) {
      const judges = Object.fromEntries(
        Object.entries(operation.responses).map(([status, schema]) => [status, schema && compile(schema)]),
      );
      await fc.assert(
        fc.asyncProperty(makeCall(operation, right), async (odd) => {
          const { status, body, text } = await sendCall(stage, operation, odd);
          if (operation.method === "HEAD") {
            expect([text, [...Object.keys(judges), "404"].includes(String(status))]).toEqual(["", true]);
            return;
          }
          const isWrongUrl = status === 400 && /not a valid URL/.test(text);
          if (isWrongUrl || status === 404) {
            expect(body).toEqual({ status: "error", error: expect.any(String) });
            return;
          }
          expect(Object.keys(judges)).toContain(String(status));
          expect([text, judges[status]?.(body) ?? true]).toEqual([text, true]);
        }),
        { numRuns: 60 },
      );
      expect(stage.state.faults).toEqual([]);
    }
  });
});
