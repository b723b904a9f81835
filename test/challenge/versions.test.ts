import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkUpload, loadQuota, loadUser } from "../../src/challenge/api/account.ts";
import { findJob, findJobsByName, listJobs, loadStatus, submitJob } from "../../src/challenge/api/jobs.ts";
import {
  loadBestScore,
  loadBoardDetail,
  loadCitation,
  loadLeaderboard,
  loadTop5,
} from "../../src/challenge/api/leaderboard.ts";
import { loadLog } from "../../src/challenge/api/log.ts";
import { logIn } from "../../src/challenge/api/log-in.ts";
import { loadResult } from "../../src/challenge/api/result.ts";
import { openSession } from "../../src/challenge/api/session.ts";
import { loadTunnelEndpoint } from "../../src/challenge/api/tunnel-endpoint.ts";
import { loadVideos } from "../../src/challenge/api/videos.ts";
import { saveState } from "../../src/challenge/save-state.ts";
import { PASSWORD, useChallenge } from "../support/challenge.ts";

const challenge = useChallenge();
const wish = { name: "a job", board: "instruction", modelName: "model" };

/** A gateway as it was or is, and a contestant who has logged in to it. */
async function open(behaviour: string) {
  const { apiUrl } = await challenge.host({ behaviour });
  await challenge.addUser();
  const env = { HOME: challenge.temp() };
  const session = openSession({ baseUrl: apiUrl, env });
  const credentials = { email: " ann@example.org ", password: PASSWORD };
  saveState(env, { BASE_URL: apiUrl, CHALLENGE_TOKEN: await logIn(session, credentials) });
  return { env, session: openSession({ env }), apiUrl };
}

describe.each(["old", "new", "field", "sortie"])("against a gateway that is %s", (behaviour) => {
  it("a contestant sees the same", async () => {
    const { session } = await open(behaviour);
    expect(await loadUser(session)).toEqual({ name: "ann", maxConcurrentCases: expect.any(Number) });
    expect(await checkUpload(session)).toEqual({ isOpen: true, reason: null });
    const before = await loadQuota(session);

    const job = await submitJob(session, wish);
    expect(job).toMatchObject({ id: expect.any(Number), uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(job.jobToken === null).toBe(behaviour === "old");
    expect(await loadTunnelEndpoint(session)).toBe(job.tunnelEndpoint);
    expect(await loadQuota(session)).toEqual({ ...before, used: 1, remaining: before.remaining - 1 });

    const item = await findJob(session, job.uuid);
    expect(item).toMatchObject({
      id: job.id,
      uuid: job.uuid,
      name: "a job",
      progress: { done: 0, total: 2 },
    });
    if (item === null) return;
    expect(await findJob(session, job.id)).toEqual(item);
    expect(await findJobsByName(session, "a job")).toEqual([item]);
    expect(await findJob(session, "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b")).toBe(null);
    const status = await loadStatus(session, item);
    expect(status).toMatchObject({ state: "waiting_for_agent", isTerminal: false });
    expect(status.said).toContain("0 of 2 cases done");

    expect(await loadResult(session, job.id)).toMatchObject({ total: null, mean: null, sum: null });
    expect(await loadLog(session, job.id)).toBe(null);
    expect(await loadBestScore(session, "instruction")).toBe(null);
    expect(await loadLeaderboard(session, { board: "instruction" })).toMatchObject({ items: [], total: 0 });
    expect((await loadTop5(session)).get("instruction")).toEqual([]);
    expect(await loadCitation(session)).toContain("@misc");
    await expect(loadBoardDetail(session, { board: "instruction", userUid: "x" })).rejects.toMatchObject({
      code: "challenge_refused",
      message: expect.stringContaining("this user has no score on this board"),
    });
    const videos = loadVideos(session, job.id);
    if (behaviour === "old" || behaviour === "field")
      await expect(videos).rejects.toMatchObject({ code: "challenge_not_offered" });
    else expect(await videos).toMatchObject({ state: "unfinished", episodes: [] });
    expect(session.notes).toEqual([]);
  });

  it("T42 a UUID where a number belongs is one fault in all versions", async () => {
    const { session } = await open(behaviour);
    const { uuid } = await submitJob(session, wish);
    await expect(loadResult(session, uuid as unknown as number)).rejects.toMatchObject({
      code: "challenge_job_id_wrong",
      message: expect.stringContaining(uuid),
      hint: expect.stringContaining("sortie challenge jobs"),
    });
  });
});

describe("a list of jobs", () => {
  it.each(["old", "new"])(
    "has pages of the size that was asked for, also where it is %s",
    async (behaviour) => {
      const { session } = await open(behaviour);
      for (const name of ["one", "two", "three"]) await submitJob(session, { ...wish, name });
      const first = await listJobs(session, { perPage: 2 });
      expect(first).toMatchObject({ total: 3, page: 1, totalPages: 2 });
      expect(first.items.map(({ name }) => name)).toEqual(["three", "two"]);
      expect((await listJobs(session, { perPage: 2, page: 2 })).items.map(({ name }) => name)).toEqual([
        "one",
      ]);
      expect((await listJobs(session, { modelName: "other" })).items).toEqual([]);
    },
  );
});

it("a submission that is refused is told in the server's words, and costs nothing", async () => {
  const { session } = await open("sortie");
  const wrong = submitJob(session, { ...wish, board: "no-such" });
  await expect(wrong).rejects.toMatchObject({
    code: "challenge_refused",
    exit: 1,
    message: expect.stringMatching(/400: .*board/),
  });
  expect((await loadQuota(session)).used).toBe(0);
});

it("a day's submissions that are used up are told, and the file of a login is read by anyone who has it", async () => {
  const { session, env, apiUrl } = await open("sortie");
  for (;;) {
    const { remaining } = await loadQuota(session);
    if (remaining === 0) break;
    await submitJob(session, wish);
  }
  expect(await checkUpload(session)).toEqual({
    isOpen: false,
    reason: expect.stringContaining("upload limit"),
  });
  await expect(submitJob(session, wish)).rejects.toMatchObject({ code: "challenge_refused" });
  writeFileSync(join(env.HOME, ".simubotix-challenge.env"), `BASE_URL="${apiUrl}"\nCHALLENGE_TOKEN=null\n`);
  await expect(loadQuota(openSession({ env }))).rejects.toMatchObject({
    code: "challenge_login_needed",
    message: expect.stringContaining("a script writes that found none"),
  });
});
