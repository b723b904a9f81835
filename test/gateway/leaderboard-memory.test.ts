import { expect, onTestFinished, test, vi } from "vitest";
import { changeScore, reviveJob } from "../../src/gateway/records/jobs.ts";
import { openRecords } from "../../src/gateway/records/open-records.ts";
import { deleteUser } from "../../src/gateway/records/users.ts";
import { addJob, endJob } from "../support/api-jobs.ts";
import { startApiStage } from "../support/api-stage.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const leaderboard = "/api/challenge/leaderboard";

/** Ann with 0.5 and Bob with 0.75, in a database that an organiser's command has open too. */
async function startWithScores() {
  const stage = await startApiStage(folder());
  const other = openRecords(folder());
  onTestFinished(() => other.close());
  const ann = await stage.addUser({ name: "Ann", email: "ann@x" });
  const bob = await stage.addUser({ name: "Bob", email: "bob@x" });
  const play = (userId: number, score: number) => {
    const id = addJob(stage, userId, { modelName: `of ${score}` });
    endJob(stage, id, 2, score);
    return id;
  };
  const jobs = { ann: play(ann.id, 0.5), bob: play(bob.id, 0.75) };
  const names = async () => {
    const { body } = await stage.get(`${leaderboard}?board=manip`);
    return body.items.map((row: { user_name: string; rank: number }) => `${row.rank} ${row.user_name}`);
  };
  return { stage, other, ann, bob, jobs, play, names };
}

test("a board that did not change is not read again, however often and by whom it is asked for", async () => {
  const { stage, bob, names } = await startWithScores();
  expect(await names()).toEqual(["1 Bob", "2 Ann"]);
  await stage.get(`${leaderboard}/top5`);
  const reads = vi.spyOn(stage.records, "list");
  addJob(stage, bob.id);
  reads.mockClear();
  for (const query of ["", "?board=manip&sort=user_name&order=desc", "?board=manip&q=an&per-page=1", "/top5"])
    await stage.get(`${leaderboard}${query}`);
  expect(reads).not.toHaveBeenCalled();
});

test("what another process changes is on the board at once", async () => {
  const { stage, other, ann, jobs, play, names } = await startWithScores();
  expect(await names()).toEqual(["1 Bob", "2 Ann"]);
  changeScore(other, jobs.ann, 0.75);
  expect(await names()).toEqual(["1 Ann", "1 Bob"]);
  play(ann.id, 1);
  expect(await names()).toEqual(["1 Ann", "2 Bob"]);
  reviveJob(other, jobs.bob);
  expect(await names()).toEqual(["1 Ann"]);
  other.change("UPDATE users SET name = 'Ann Lee' WHERE id = ?", ann.id);
  expect(await names()).toEqual(["1 Ann Lee"]);
  deleteUser(other, ann.id, stage.state.now);
  expect(await names()).toEqual([]);
  const detail = await stage.get(`${leaderboard}/manip/detail?user_uid=${ann.uid}`);
  expect(detail.status).toBe(404);
});
