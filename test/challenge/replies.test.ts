import { describe, expect, it } from "vitest";
import { checkUpload, loadUser } from "../../src/challenge/api/account.ts";
import { loadBestScore, loadBoardDetail, loadCitation } from "../../src/challenge/api/leaderboard.ts";
import { loadLog } from "../../src/challenge/api/log.ts";
import { loadResult } from "../../src/challenge/api/result.ts";
import { loadTunnelEndpoint } from "../../src/challenge/api/tunnel-endpoint.ts";
import { loadVideos } from "../../src/challenge/api/videos.ts";
import { makeToken, useScriptedApi } from "../support/scripted-api.ts";

const api = useScriptedApi();
const UUID = "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b";

/** A contestant at a server that gives one reply to everything. */
async function open(body: unknown, status = 200) {
  const server = await api.serve(() => ({ status, body }));
  return api.open({ baseUrl: server.url, env: { CHALLENGE_TOKEN: makeToken("ann") } });
}

describe("T43 the scores of a board that sums and of one that averages", () => {
  it.each([
    [
      "old: both are sums",
      { pick: { score: [95, 92, 88], total: 275 }, place: { score: [99, 99, 100], total: 298 } },
      573,
    ],
    [
      "new: a mean, and their sum",
      { pick: { score: [95, 92, 88], total: 91.67 }, place: { score: [99, 99, 100], total: 99.33 } },
      191,
    ],
  ])("are shown as they came, beside a mean and a sum of ours: %s", async (_, tasks, total) => {
    const raw = { status: "Finished", tasks, total };
    const result = await loadResult(await open(raw), 7);
    expect(result).toMatchObject({ raw, total, status: "Finished" });
    expect(result.tasks.map(({ total }) => total)).toEqual(Object.values(tasks).map(({ total }) => total));
    expect(result.tasks[0]?.mean).toBeCloseTo(91.67, 2);
    expect(result.mean).toBeCloseTo(95.5, 1);
    expect(result.sum).toBeCloseTo(191, 1);
  });

  it("may have totals alone, or nothing yet, which is not 0", async () => {
    const field = { tasks: { a: { total: 0.5 }, b: { score: [], total: 0.7 } }, total: 0.6 };
    expect(await loadResult(await open(field), 7)).toMatchObject({ mean: 0.6, sum: 1.2, total: 0.6 });
    const none = { tasks: { a: { score: [null, null], total: null } }, total: 0 };
    expect(await loadResult(await open(none), 7)).toMatchObject({ mean: null, sum: null, total: 0 });
    expect(await loadResult(await open({ tasks: null, total: 0 }), 7)).toMatchObject({
      tasks: [],
      mean: null,
    });
  });
});

describe("the endpoint of the tunnel", () => {
  it.each([
    ["ws://h/t", "ws://h/t"],
    ['"ws://h/t?a=1"', "ws://h/t?a=1"],
    [{ endpoint: "wss://h/t" }, "wss://h/t"],
    [{ status: "ok", tunnel_endpoint: "ws://h/t" }, "ws://h/t"],
    ["", null],
    ['""', null],
    ["null", null],
    [{ endpoint: "" }, null],
    [{ status: "ok" }, null],
  ])("of %j is %j", async (body, url) => {
    expect(await loadTunnelEndpoint(await open(body))).toBe(url);
  });

  it.each(["https://h/t", '"0"', { endpoint: "http://h" }, { a: "ws://h/1", b: "ws://h/2" }])(
    "is none as %j",
    async (body) => {
      await expect(loadTunnelEndpoint(await open(body))).rejects.toMatchObject({
        code: "challenge_reply_wrong",
      });
    },
  );

  it("is none as a web page", async () => {
    const page = loadTunnelEndpoint(await open("<html>hello</html>"));
    await expect(page).rejects.toMatchObject({ code: "challenge_reply_unreadable" });
  });
});

describe("the log of a job", () => {
  const head = { id: 3, job_id: 7, task_id: 1, case_id: 5, status: 1, created_at: "2026-08-01T00:00:00Z" };

  it("of the first servers has the output in its place", async () => {
    const log = await loadLog(await open({ ...head, stdout: "out", stderr: "Traceback", exit_code: 1 }), 7);
    expect(log).toMatchObject({
      stdout: "out",
      stderr: "Traceback",
      exitCode: 1,
      caseId: 5,
      stdoutUrl: null,
    });
  });

  it.each([
    [
      { stdout: "https://files/x?sign=1" },
      { stdout: null, stdoutUrl: "https://files/x?sign=1", error: null },
    ],
    [
      { stdout: "error", error: "liveness probe" },
      { stdout: null, stdoutUrl: null, error: "liveness probe" },
    ],
    [{ stdout: "some text" }, { stdout: "some text", stdoutUrl: null }],
    ["plain words", { stdout: "plain words" }],
    [null, { stdout: null, error: null }],
    [[1], { stdout: null }],
  ])("of the later ones may have a result of any form: %j", async (result, expected) => {
    const log = await loadLog(await open({ ...head, failure_reason: 9, result }), 7);
    expect(log).toMatchObject({ ...expected, failureReason: 9 });
    expect(log?.failure.said).toContain("the tunnel to the agent was lost");
  });

  it("is none where no case has failed, which is said with a 500", async () => {
    const session = await open(
      { status: "error", error: "failed to get case exec log: record not found" },
      500,
    );
    expect(await loadLog(session, 7)).toBe(null);
  });
});

describe("other replies", () => {
  it("of an account may leave out how many agents it may run", async () => {
    expect(await loadUser(await open({ name: "ann" }))).toEqual({ name: "ann", maxConcurrentCases: null });
    await expect(loadUser(await open({}))).rejects.toMatchObject({ code: "challenge_reply_wrong" });
  });

  it.each([
    [true, 200, true, null],
    [{ status: "ok" }, 200, true, null],
    [false, 200, false, null],
    [{ status: "error", error: "upload limit" }, 200, false, "upload limit"],
    [{ status: "error", error: "upload limit" }, 400, false, "upload limit"],
  ])("of the check before an upload may be %j with %i", async (body, status, isOpen, reason) => {
    expect(await checkUpload(await open(body, status))).toEqual({ isOpen, reason });
  });

  it.each([
    [
      { status: "ok", score: 0.5, rank: 3 },
      { score: 0.5, rank: 3 },
    ],
    [{ status: "ok", score: 0, rank: 0 }, null],
    [{ status: "error" }, null],
  ])("of a best score may be %j", async (body, best) => {
    expect(await loadBestScore(await open(body), "manip")).toEqual(best);
  });

  it("of videos tell how long their links are good", async () => {
    const body = {
      ...{ job_id: 7, status: 0, expires_in: 28_800 },
      episodes: [
        { task_name: "pick", episode_uuid: UUID, task_id: 1, case_id: 5, score: 1, head: "https://v/1" },
      ],
    };
    expect(await loadVideos(await open(body), 7)).toEqual({
      ...{ state: "ready", expiresInS: 28_800 },
      episodes: [
        { taskName: "pick", episodeUuid: UUID, taskId: 1, caseId: 5, score: 1, headUrl: "https://v/1" },
      ],
    });
    expect(await loadVideos(await open({ status: 9 }), 7)).toMatchObject({ state: "unknown", episodes: [] });
  });

  it("of a board's detail and citation may be bare", async () => {
    const tasks = [{ task: "pick", score: [1, null], total: 1 }];
    const asked = { board: "manip", userUid: "u" };
    const read = [{ name: "pick", scores: [1, null], total: 1 }];
    expect(await loadBoardDetail(await open(tasks), asked)).toMatchObject({ tasks: read, rank: null });
    expect(await loadBoardDetail(await open({ rank: 1, tasks }), asked)).toMatchObject({
      tasks: read,
      rank: 1,
    });
    expect(await loadCitation(await open("@misc{x}"))).toBe("@misc{x}");
    expect(await loadCitation(await open({ citation: "@misc{y}" }))).toBe("@misc{y}");
  });
});
