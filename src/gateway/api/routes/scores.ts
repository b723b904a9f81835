import { Type } from "@sinclair/typebox";
import { listCases } from "../../records/cases.ts";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { BestJobShape, describeBestJob } from "../best-job-shape.ts";
import type { BoardRanks } from "../board-ranks.ts";
import { boardName, findBoard } from "../known-board.ts";
import { getCaller, type LoginGate, loginSecurity } from "../login-gate.ts";
import { orNull } from "../or-null.ts";
import { describeRefusals, Refusal } from "../refusal.ts";
import { totalScores } from "../total-scores.ts";

const BestScore = Type.Object({
  status: Type.Literal("ok"),
  score: orNull(Type.Number()),
  rank: Type.Integer({ description: "0: no score yet." }),
});

const Detail = Type.Object({
  ...BestJobShape.properties,
  board: Type.String(),
  tasks: Type.Array(
    Type.Object({
      task: Type.String(),
      score: Type.Array(orNull(Type.Number()), { description: "A case each." }),
      total: orNull(Type.Number()),
    }),
  ),
});

/** The best job of one user. */
export function addScoreRoutes(app: ApiServer, host: ApiHost, gate: LoginGate, ranks: BoardRanks): void {
  addBestScore(app, host, gate, ranks);
  addDetail(app, host, ranks);
}

function addBestScore(app: ApiServer, { config }: ApiHost, gate: LoginGate, ranks: BoardRanks): void {
  const schema = {
    summary: "The best score of the caller on a board.",
    security: loginSecurity,
    querystring: Type.Object({ board: boardName }),
    response: { 200: BestScore, ...describeRefusals(400, 401) },
  };
  app.get("/api/challenge/best-score", { schema, onRequest: gate }, async (request) => {
    const { name } = findBoard(config, request.query.board);
    const best = ranks.find(name, getCaller(request).uid);
    return { status: "ok" as const, score: best?.score ?? null, rank: best?.rank ?? 0 };
  });
}

function addDetail(app: ApiServer, { config, records }: ApiHost, ranks: BoardRanks): void {
  const schema = {
    summary: "The best job of a user on a board, by task.",
    params: Type.Object({ board: boardName }),
    querystring: Type.Object({ user_uid: Type.String() }),
    response: { 200: Detail, ...describeRefusals(400, 404) },
  };
  app.get("/api/challenge/leaderboard/:board/detail", { schema }, async ({ params, query }) => {
    const { name: board } = findBoard(config, params.board);
    const best = ranks.find(board, query.user_uid);
    if (best === undefined) throw new Refusal(404, "this user has no score on this board");
    const { tasks } = totalScores(listCases(records, best.jobId), config.flags);
    const rows = Object.entries(tasks).map(([task, { score, total }]) => ({
      task,
      score: [...score],
      total,
    }));
    return { ...describeBestJob(best), board, tasks: rows };
  });
}
