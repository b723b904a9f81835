import { type Static, Type } from "@sinclair/typebox";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { BestJobShape, describeBestJob } from "../best-job-shape.ts";
import { type BoardRanks, boardColumns } from "../board-ranks.ts";
import { boardName, findBoard } from "../known-board.ts";
import { describePaged, makePaged, pagingFields, readPage } from "../paging.ts";
import { describeRefusals, Refusal } from "../refusal.ts";

const Query = Type.Object({
  board: boardName,
  ...pagingFields,
  sort: Type.Optional(Type.String({ description: `${boardColumns.join(", ")}; default: rank.` })),
  order: Type.Optional(Type.String({ description: "`asc` or `desc`." })),
  q: Type.Optional(Type.String({ maxLength: 128, description: "A part of the name of a user or a model." })),
});

/** Public: the best job of each user of a board. */
export function addLeaderboardRoutes(app: ApiServer, host: ApiHost, ranks: BoardRanks): void {
  addBoard(app, host, ranks);
  addTop(app, host, ranks);
  addCitation(app, host);
}

function addBoard(app: ApiServer, { config }: ApiHost, ranks: BoardRanks): void {
  const schema = {
    summary: "A board, the best job of each user.",
    querystring: Query,
    response: { 200: describePaged(BestJobShape), ...describeRefusals(400) },
  };
  app.get("/api/challenge/leaderboard", { schema }, async ({ query }) => {
    const { name: board } = findBoard(config, query.board);
    const page = readPage(query, config.flags);
    const { jobs, total } = ranks.list({ board, search: query.q, ...readSorting(query), ...page });
    return makePaged(jobs.map(describeBestJob), total, page);
  });
}

function readSorting({ sort = "rank", order }: Pick<Static<typeof Query>, "sort" | "order">) {
  const column = boardColumns.find((known) => known === sort);
  if (column === undefined)
    throw new Refusal(400, `query, sort: there is no such column; there are ${boardColumns.join(", ")}`);
  const direction = order ?? (sort === "score" ? "desc" : "asc");
  if (direction !== "asc" && direction !== "desc")
    throw new Refusal(400, "query, order: a direction is asc or desc");
  return { column, direction } as const;
}

function addTop(app: ApiServer, { config }: ApiHost, ranks: BoardRanks): void {
  const schema = {
    summary: "The five best of every board.",
    response: { 200: Type.Object({ boards: Type.Record(Type.String(), Type.Array(BestJobShape)) }) },
  };
  app.get("/api/challenge/leaderboard/top5", { schema }, async () => {
    const boards = config.boards.map(({ name: board }) => {
      const listing = { board, column: "rank", direction: "asc", size: 5, offset: 0 } as const;
      return [board, ranks.list(listing).jobs.map(describeBestJob)] as const;
    });
    return { boards: Object.fromEntries(boards) };
  });
}

function addCitation(app: ApiServer, { config }: ApiHost): void {
  const schema = {
    summary: "How to cite a result of this challenge, as BibTeX.",
    response: { 200: Type.Object({ citation: Type.String() }) },
  };
  const boards = config.boards.map(({ name }) => name).join(", ");
  const citation = `@misc{sortie_challenge,\n  title = {Leaderboard of a simulation challenge},\n  note = {Boards: ${boards}. Hosted with Sortie.}\n}\n`;
  app.get("/api/challenge/leaderboard/citation", { schema }, async () => ({ citation }));
}
