import { describe, expect, test } from "vitest";
import { addJob, endJob } from "../../../../test/support/api-jobs.ts";
import { startApiStage } from "../../../../test/support/api-stage.ts";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import type { BehaviourName } from "../../config/behaviours.ts";
import { deleteUser } from "../../records/users.ts";

const folder = useTempFolder();
const path = "/api/challenge/leaderboard";

/**
 * Ann 0.5 and then 0.9 and 0.9 again, Bob 0.9, Cid 0.7 (deleted later), Dan a job that failed, Eve one without a score;
 * Bob on another board.
 */
async function startWithScores(behaviour: BehaviourName = "sortie") {
  const stage = await startApiStage(folder(), { behaviour });
  const add = (name: string) => stage.addUser({ name, email: `${name}@x` });
  const ann = await add("Ann");
  const bob = await add("Bob");
  const cid = await add("Cid");
  const dan = await add("Dan");
  const eve = await add("Eve");
  const play = (
    user: typeof ann,
    modelName: string,
    status: 2 | 4,
    score: number | null,
    board = "manip",
  ) => {
    const scores = { pick: [score, null], place: [score] };
    const id = addJob(stage, user.id, { modelName, board, scores });
    endJob(stage, id, status, score);
    return id;
  };
  play(ann, "weak", 2, 0.5);
  play(ann, "strong", 2, 0.9);
  play(ann, "same", 2, 0.9);
  play(bob, "100%_pi", 2, 0.9);
  play(cid, "third", 2, 0.7);
  play(dan, "broken", 4, null);
  play(eve, "blind", 2, null);
  play(bob, "pi", 2, 0, "robust");
  const list = async (query: string) => (await stage.get(`${path}?${query}`)).body;
  return { stage, ann, bob, cid, eve, list };
}

describe.each<BehaviourName>(["sortie", "old", "new", "field"])("the leaderboard of %s", (behaviour) => {
  test("has the best job of each user, to anybody", async () => {
    const { list, ann, bob, cid } = await startWithScores(behaviour);
    const created_at = "2026-11-29T12:00:00.000Z";
    const row = { paper_link: null, created_at };
    expect(await list("board=manip")).toEqual({
      items: [
        { ...row, rank: 1, user_uid: ann.uid, user_name: "Ann", model_name: "strong", score: 0.9 },
        { ...row, rank: 1, user_uid: bob.uid, user_name: "Bob", model_name: "100%_pi", score: 0.9 },
        { ...row, rank: 3, user_uid: cid.uid, user_name: "Cid", model_name: "third", score: 0.7 },
      ],
      ...{ total: 3, page: 1, per_page: 20, total_pages: 1 },
    });
  });

  test("is paged, sorted and searched, the rank staying what it is", async () => {
    const { list } = await startWithScores(behaviour);
    const names = async (query: string) =>
      (await list(`board=manip&${query}`)).items.map(
        ({ user_name, rank }: { user_name: string; rank: number }) => `${user_name} ${rank}`,
      );
    expect(await names("per-page=2&page=2")).toEqual(["Cid 3"]);
    expect(await names("sort=score&order=asc")).toEqual(["Cid 3", "Ann 1", "Bob 1"]);
    expect(await names("sort=user_name&order=desc")).toEqual(["Cid 3", "Bob 1", "Ann 1"]);
    expect(await names("q=THIRD")).toEqual(["Cid 3"]);
    expect(await names("q=b")).toEqual(["Bob 1"]);
    expect(await names("q=%25_")).toEqual(["Bob 1"]);
    expect(await names(`q=${encodeURIComponent("' OR '1'='1")}`)).toEqual([]);
  });

  test("has the five best of every board", async () => {
    const { stage } = await startWithScores(behaviour);
    const { status, body } = await stage.get(`${path}/top5`);
    expect(status).toBe(200);
    const names = Object.entries<{ user_name: string }[]>(body.boards).map(([board, rows]) => [
      ...[board, rows.map(({ user_name }) => user_name)],
    ]);
    expect(names).toEqual([
      ["manip", ["Ann", "Bob", "Cid"]],
      ["robust", ["Bob"]],
      ["bare", []],
    ]);
  });

  test("has the tasks of a user's best job", async () => {
    const { stage, ann, eve } = await startWithScores(behaviour);
    const { status, body } = await stage.get(`${path}/manip/detail?user_uid=${ann.uid}`);
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ board: "manip", user_name: "Ann", model_name: "strong", rank: 1, score: 0.9 },
        tasks: [
          { task: "pick", score: [0.9, null], total: 0.9 },
          { task: "place", score: [0.9], total: 0.9 },
        ],
      },
    ]);
    for (const uid of [eve.uid, "nobody", "' OR 1=1 --"]) {
      const { status: missed } = await stage.get(`${path}/manip/detail?user_uid=${encodeURIComponent(uid)}`);
      expect(missed).toBe(404);
    }
  });

  test("has a citation", async () => {
    const { stage } = await startWithScores(behaviour);
    const { status, body } = await stage.get(`${path}/citation`);
    expect([status, body.citation]).toEqual([200, expect.stringMatching(/^@misc\{/)]);
  });

  test("tells a user the best score and rank of a board", async () => {
    const { stage, bob, cid, eve } = await startWithScores(behaviour);
    const ask = async (token: string, board = "manip") =>
      (await stage.get(`/api/challenge/best-score?board=${board}`, token)).body;
    expect(await ask(cid.token)).toEqual({ status: "ok", score: 0.7, rank: 3 });
    expect(await ask(eve.token)).toEqual({ status: "ok", score: null, rank: 0 });
    expect(await ask(bob.token, "robust")).toEqual({ status: "ok", score: 0, rank: 1 });
    expect((await stage.get("/api/challenge/best-score?board=manip")).status).toBe(401);
    expect((await stage.get("/api/challenge/best-score?board=x", bob.token)).body.error).toBe(
      "invalid board",
    );
    expect((await stage.get("/api/challenge/best-score", bob.token)).status).toBe(400);
  });

  test.each([
    [`${path}`, /^query, board: Expected required property$/],
    [`${path}?board=nowhere`, /^invalid board$/],
    [`${path}?board=manip&sort=password_hash`, /^query, sort: there is no such column/],
    [`${path}?board=manip&sort=${encodeURIComponent("rank;--")}`, /^query, sort/],
    [`${path}?board=manip&order=up`, /^query, order/],
    [`${path}?board=manip&page=0`, /^query, page/],
    [`${path}?board=manip&q=%00`, /^query: a text holds a null character$/],
    [`${path}?board=manip&q=a&q=b`, /^query, q: Expected string$/],
    [`${path}/nowhere/detail?user_uid=x`, /^invalid board$/],
    [`${path}/manip/detail`, /^query, user_uid: Expected required property$/],
  ])("refuses %s", async (url, text) => {
    const { stage } = await startWithScores(behaviour);
    const { status, body } = await stage.get(url);
    expect([status, body]).toEqual([400, { status: "error", error: expect.stringMatching(text) }]);
  });
});

test("a user who was deleted is on no board", async () => {
  const { stage, list, bob, cid } = await startWithScores();
  deleteUser(stage.records, bob.id, stage.state.now);
  const { items } = await list("board=manip");
  expect(
    items.map(({ user_uid, rank }: { user_uid: string; rank: number }) => [user_uid, rank]).at(-1),
  ).toEqual([...[cid.uid, 2]]);
  expect((await list("board=robust")).items).toEqual([]);
});
