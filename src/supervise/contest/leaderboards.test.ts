import { expect, it } from "vitest";
import { addJob, endJob } from "../../../test/support/api-jobs.ts";
import { startApiStage } from "../../../test/support/api-stage.ts";
import { openContestStage } from "../../../test/support/contest-stage.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { loadBoards, loadRanks } from "./load-boards.ts";
import { loadBoardPage, loadCitationText, loadTopRows, loadUserTasks } from "./load-leaderboards.ts";

const folder = useTempFolder();

it("boards, ranks and rows are those of the challenge, one's own only with a login", async () => {
  const stage = await startApiStage(folder(), { behaviour: "old" });
  const { id, uid, token } = await stage.addUser();
  endJob(stage, addJob(stage, id, { scores: { pick: [1, 0.5], place: [0.5] } }), 2, 0.6);
  const baseUrl = `http://127.0.0.1:${stage.port}`;
  const { open } = openContestStage(folder(), { baseUrl, state: `CHALLENGE_TOKEN='${token}'\n` });
  const own = { board: "manip", rank: 1, score: 0.6 };
  expect(await loadBoards(open())).toMatchObject([
    { name: "manip", best: { userName: "Ann", score: 0.6 }, own },
    { name: "robust", best: null, own: { rank: null, score: null } },
    { name: "bare", best: null },
  ]);
  expect(await loadRanks(open(), ["manip"])).toEqual([own]);
  await expect(loadRanks(open(), ["kitchen"])).rejects.toMatchObject({ code: "challenge_refused", exit: 1 });
  expect((await loadTopRows(open()))["manip"]).toMatchObject([{ rank: 1, userName: "Ann" }]);
  expect(await loadBoardPage(open(), { board: "manip", page: 1 })).toMatchObject({ total: 1, totalPages: 1 });
  expect(await loadBoardPage(open(), { board: "manip", page: 1, search: "nobody" })).toMatchObject({
    rows: [],
  });
  const detail = await loadUserTasks(open(), "manip", uid);
  expect(detail.tasks).toMatchObject([
    { name: "pick", scores: [1, 0.5] },
    { name: "place", scores: [0.5] },
  ]);
  expect(await loadCitationText(open())).toMatch(/^@misc/);
});
