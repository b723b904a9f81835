import { describe, expect, it } from "vitest";
import { addJob, endJob } from "../../../test/support/api-jobs.ts";
import { startApiProxy } from "../../../test/support/api-proxy.ts";
import { startApiStage } from "../../../test/support/api-stage.ts";
import { openContestStage } from "../../../test/support/contest-stage.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { BehaviourName } from "../../gateway/config/behaviours.ts";
import { markRunning } from "../../gateway/records/jobs.ts";
import { type JobNews, type WatchOptions, watchJob } from "./watch-job.ts";

const folder = useTempFolder();

/** A job, its gateway behind a proxy, and a clock on which a rest takes no time; `onRest` tells how much has passed. */
async function startStage(behaviour: BehaviourName = "new") {
  const stage = await startApiStage(folder(), { behaviour });
  const { id: userId, token } = await stage.addUser();
  const job = addJob(stage, userId, { name: "night run" });
  const proxy = await startApiProxy(`http://127.0.0.1:${stage.port}`);
  let passedMs = 0;
  const rests: number[] = [];
  const script = { onRest: (_passedS: number): void => undefined };
  const clock: Clock = {
    now: systemClock.now,
    monotonicMs: () => passedMs,
    sleep: async (ms) => {
      rests.push(ms);
      passedMs += ms;
      script.onRest(passedMs / 1000);
    },
  };
  const state = `CHALLENGE_TOKEN='${token}'\n`;
  const { open } = openContestStage(folder(), { baseUrl: proxy.url, state, clock });
  const news: JobNews[] = [];
  const watch = (options: Partial<WatchOptions> = {}) =>
    watchJob(open(), { id: job, uuid: null, name: null }, { onNews: (one) => news.push(one), ...options });
  const tell = () => news.map((one) => (one.kind === "job" ? one.report.state : one.kind));
  return { stage, job, proxy, script, rests, news, watch, tell };
}

describe("a watch", () => {
  it.each(["old", "new", "field"] as const)(
    "of a job as %s has it tells changes only, to the end",
    async (behaviour) => {
      const { stage, job, script, rests, watch, tell } = await startStage(behaviour);
      let looks = 0;
      script.onRest = () => {
        looks += 1;
        if (looks === 3) stage.state.live.set(job, { connected: 1, playing: 0 });
        if (looks === 6) markRunning(stage.records, job, stage.state.now);
        if (looks === 6) stage.state.live.set(job, { connected: 1, playing: 1 });
        if (looks === 9) endJob(stage, job, 2, 1);
      };
      expect(await watch()).toMatchObject({ state: "done", isTerminal: true });
      expect(tell()).toEqual(["waiting_for_agent", "waiting_for_slot", "running", "done"]);
      expect(rests).toHaveLength(9);
      for (const ms of rests) expect(ms).toBeGreaterThanOrEqual(2_000);
      for (const ms of rests) expect(ms).toBeLessThanOrEqual(5_000);
      expect(new Set(rests).size).toBeGreaterThan(1);
    },
  );

  it.each([20, 200])("outlives a gateway that is gone for %d s, and says so once", async (goneS) => {
    const { stage, job, proxy, script, news, watch, tell } = await startStage();
    script.onRest = (passedS) => {
      const isGone = passedS > 10 && passedS <= 10 + goneS;
      proxy.script.gone = isGone;
      if (passedS > 20 + goneS) endJob(stage, job, 4, null);
    };
    expect(await watch()).toMatchObject({ state: "failed" });
    expect(tell()).toEqual(["waiting_for_agent", "away", "back", "failed"]);
    const back = news.find((one) => one.kind === "back");
    expect(back?.awayS).toBeGreaterThan(goneS - 6);
    expect(back?.awayS).toBeLessThan(goneS + 11);
  });

  it("outlives 5xx and a web page of what stands before a gateway that restarts, but not for ever", async () => {
    const { stage, job, proxy, script, watch, tell } = await startStage();
    let looks = 0;
    const page = { body: "<!doctype html><title>Maintenance</title>" };
    script.onRest = () => {
      looks += 1;
      proxy.script.answers = () => (looks < 3 ? page : looks < 6 ? { ...page, status: 502 } : undefined);
      if (looks === 8) endJob(stage, job, 3, null);
    };
    expect(await watch()).toMatchObject({ state: "cancelled" });
    expect(tell()).toEqual(["waiting_for_agent", "away", "back", "cancelled"]);
    script.onRest = () => undefined;
    proxy.script.answers = () => page;
    await expect(watch()).rejects.toMatchObject({ code: "challenge_reply_unreadable" });
  });

  it("outlives a list that lacks the job for a moment, and a wish to be asked later", async () => {
    const { stage, job, proxy, script, watch, tell } = await startStage();
    const empty = { body: { items: [], total: 0 } };
    let looks = 0;
    script.onRest = () => {
      looks += 1;
      proxy.script.answers = () => (looks < 3 ? empty : looks < 20 ? { status: 429, body: {} } : undefined);
      if (looks === 21) endJob(stage, job, 2, 1);
    };
    expect(await watch()).toMatchObject({ state: "done" });
    expect(tell()).toEqual(["waiting_for_agent", "away", "back", "done"]);
  });

  it("ends where the list lacks the job from the first look on, or for ever", async () => {
    const { proxy, script, rests, watch } = await startStage();
    const empty = { body: { items: [], total: 0 } };
    script.onRest = () => {
      proxy.script.answers = () => empty;
    };
    await expect(watch()).rejects.toMatchObject({ code: "challenge_job_unknown" });
    const looks = rests.length;
    expect(looks).toBeGreaterThan(5);
    await expect(watch()).rejects.toMatchObject({ code: "challenge_job_unknown" });
    expect(rests).toHaveLength(looks);
  });

  it("of a job that is over already asks once; what is refused is final", async () => {
    const { stage, job, proxy, rests, watch } = await startStage();
    endJob(stage, job, 2, 1);
    expect(await watch()).toMatchObject({ state: "done" });
    expect(rests).toEqual([]);
    const refusal = { status: 403, body: { status: "error", error: "the account is closed" } };
    proxy.script.answers = () => refusal;
    await expect(watch()).rejects.toMatchObject({ code: "challenge_refused", exit: 1 });
    expect(rests).toEqual([]);
  });

  it("never takes a state for an end that it does not know, and gives up when it is told to", async () => {
    const { proxy, watch, tell } = await startStage();
    const item = { id: 1, uuid: "u", name: "night run", status: 17, detailed_status: "dreaming" };
    proxy.script.answers = (call) =>
      call.endsWith("/jobs") ? { body: { items: [item], total: 1 } } : undefined;
    await expect(watch({ timeoutMs: 60_000 })).rejects.toMatchObject({
      ...{ code: "contest_watch_timeout", exit: 124 },
      details: { state: "unknown", seconds: 60 },
    });
    expect(tell()).toEqual(["unknown"]);
  });

  it("ends when it is told to, and the job goes on", async () => {
    const { script, watch } = await startStage();
    const controller = new AbortController();
    script.onRest = (passedS) => passedS > 10 && controller.abort();
    expect(await watch({ signal: controller.signal })).toBeNull();
  });
});
