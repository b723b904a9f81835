import { Type } from "@sinclair/typebox";
import { findBoardOfCase, listWaitingCases } from "../../records/waiting-cases.ts";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { describeRefusals, Refusal } from "../refusal.ts";
import { getBoards, makeSimulatorGate, readCaseId, simulatorSecurity } from "../simulator-gate.ts";

const MOST_CASES = 100;
const MOST_DETAIL = 1_000;

const Cases = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.Integer({ description: "What the policy port takes as `?case=`." }),
      job: Type.Integer(),
      board: Type.String(),
      task: Type.String(),
      index: Type.Integer(),
      seed: Type.Integer(),
    }),
    { description: `The oldest ${MOST_CASES}.` },
  ),
});

const Score = Type.Object({
  score: Type.Number({ minimum: 0, maximum: 1 }),
  steps: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  detail: Type.Optional(
    Type.String({ description: `For whoever looks the case up; ${MOST_DETAIL} characters of it are kept.` }),
  ),
});

const refusals = {
  kept: "the case has another score already, which stays",
  too_early: "nobody has begun this case yet",
  over: "the case ended otherwise and takes no score",
} as const;

/** For simulators from outside: what waits to be played, and the score of what was. */
export function addSimulatorRoutes(app: ApiServer, host: ApiHost): void {
  const gate = makeSimulatorGate(app, host);
  addCases(app, host, gate);
  addScore(app, host, gate);
}

type SimulatorGate = ReturnType<typeof makeSimulatorGate>;

function addCases(app: ApiServer, { records }: ApiHost, gate: SimulatorGate): void {
  const schema = {
    summary: "The cases of a board that wait for a simulator.",
    security: simulatorSecurity,
    response: { 200: Cases, ...describeRefusals(401) },
  };
  app.get("/api/simulator/cases", { schema, onRequest: gate.now }, async (request) => {
    const rows = listWaitingCases(records, getBoards(request), MOST_CASES);
    return { items: rows.map(({ jobId, ...row }) => ({ ...row, job: jobId })) };
  });
}

function addScore(app: ApiServer, host: ApiHost, gate: SimulatorGate): void {
  const schema = {
    summary: "The score of a case that was played. The first one counts; the same again does no harm.",
    security: simulatorSecurity,
    params: Type.Object({ id: Type.String() }),
    body: Score,
    response: {
      200: Type.Object({
        status: Type.Literal("ok"),
        outcome: Type.Union([Type.Literal("taken"), Type.Literal("same")]),
      }),
      ...describeRefusals(400, 401, 404, 409, 413, 415, 503),
    },
  };
  app.post("/api/simulator/case/:id/score", { schema, onRequest: gate.late }, async (request) => {
    const id = findCaseId(host, request.params.id, getBoards(request));
    const { detail, ...score } = request.body;
    const told = detail === undefined ? score : { ...score, detail: cleanDetail(detail) };
    const outcome = host.scoreCase(id, told);
    if (outcome === "leaving") throw new Refusal(503, "the gateway is stopping", { "retry-after": "5" });
    if (outcome !== "taken" && outcome !== "same") throw new Refusal(409, refusals[outcome]);
    return { status: "ok" as const, outcome };
  });
}

/** It is shown on terminals and pages: without line ends, what moves a cursor, and what turns the direction of a text. */
function cleanDetail(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ").trim();
  const characters = Array.from(clean);
  return characters.length > MOST_DETAIL ? `${characters.slice(0, MOST_DETAIL - 1).join("")}…` : clean;
}

/** A case of another board is as good as none. */
function findCaseId({ records }: ApiHost, text: string, boards: readonly string[]): number {
  const id = readCaseId(text);
  const board = id === undefined ? undefined : findBoardOfCase(records, id);
  if (id === undefined || board === undefined || !boards.includes(board))
    throw new Refusal(404, `there is no case ${text.slice(0, 100)} of this board`);
  return id;
}
