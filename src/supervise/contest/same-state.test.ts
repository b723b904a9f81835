import { describe, expect, it } from "vitest";
import { addAttempt, addJob, endJob } from "../../../test/support/api-jobs.ts";
import { startApiStage } from "../../../test/support/api-stage.ts";
import { openContestStage } from "../../../test/support/contest-stage.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import type { BehaviourName } from "../../gateway/config/behaviours.ts";
import { markRunning } from "../../gateway/records/jobs.ts";
import { findContestJob } from "./find-contest-job.ts";
import { loadFailure } from "./load-failure.ts";
import { loadReportOf } from "./load-report.ts";
import { loadReports } from "./load-reports.ts";
import { loadScores } from "./load-scores.ts";
import { loadVideoLinks } from "./load-video-links.ts";

const folder = useTempFolder();
const behaviours: readonly BehaviourName[] = ["old", "new", "field", "sortie"];
const SCORES = { pick: [1, 0.5], place: [0.5, 0, 1] };

/** A job in each state that every platform has a word for, and a contestant who looks at them. */
async function startStage(behaviour: BehaviourName) {
  const stage = await startApiStage(folder(), { behaviour });
  const { id: userId, token } = await stage.addUser();
  const add = (name: string, facts: Parameters<typeof addJob>[2] = {}) =>
    addJob(stage, userId, { name, ...facts });
  const jobs = {
    waiting_for_agent: add("still"),
    waiting_for_slot: add("in line"),
    running: add("at work"),
    done: add("night run", { scores: SCORES }),
    cancelled: add("stopped"),
    failed: add("nightmare", { scores: SCORES }),
  };
  markRunning(stage.records, jobs.running, stage.state.now);
  stage.state.live.set(jobs.waiting_for_slot, { connected: 1, playing: 0 });
  stage.state.live.set(jobs.running, { connected: 2, playing: 1 });
  endJob(stage, jobs.done, 2, 0.6);
  endJob(stage, jobs.cancelled, 3, null);
  endJob(stage, jobs.failed, 4, null);
  addAttempt(stage, jobs.failed, { reason: "tunnel_lost", detail: "reconnect window expired" });
  const baseUrl = `http://127.0.0.1:${stage.port}`;
  const person = openContestStage(folder(), { baseUrl, state: `CHALLENGE_TOKEN='${token}'\n` });
  return { stage, jobs, ...person };
}

describe.each(behaviours)("as %s has it", (behaviour) => {
  it("a job is in the same state, and its scores and its failure are the same", async () => {
    const { jobs, open } = await startStage(behaviour);
    const reports = await loadReports(open(), { limit: 20 });
    expect(Object.fromEntries(reports.jobs.map(({ state, id }) => [state, id]))).toEqual(jobs);
    expect(reports.jobs.filter(({ isTerminal }) => isTerminal).map(({ state }) => state)).toEqual([
      "failed",
      "cancelled",
      "done",
    ]);
    expect(reports.total).toBe(6);

    const scores = await loadScores(open(), await findContestJob(open(), "night run"));
    expect(scores).toMatchObject({ job: jobs.done, mean: 0.625, sum: 1.25 });
    expect(scores.tasks).toMatchObject([
      { name: "pick", scores: [1, 0.5], mean: 0.75, sum: 1.5 },
      { name: "place", scores: [0.5, 0, 1], mean: 0.5, sum: 1.5 },
    ]);
    expect(await loadScores(open(), await findContestJob(open(), "still"))).toMatchObject({
      ...{ total: null, mean: null, sum: null },
    });

    const failure = await loadFailure(open(), await findContestJob(open(), String(jobs.failed)));
    expect(failure).toMatchObject({ reason: 9, agentId: "agent-1" });
    expect(failure?.said).toContain("the tunnel to the agent was lost");
    expect(await loadFailure(open(), await findContestJob(open(), "stopped"))).toBeNull();

    const videos = loadVideoLinks(open(), await findContestJob(open(), "night run"));
    if (behaviour === "old" || behaviour === "field")
      await expect(videos).rejects.toMatchObject({ code: "challenge_not_offered", exit: 1 });
    else expect(await videos).toMatchObject({ job: jobs.done, state: "ready" });
  });

  it("T42 a job is found by number, UUID and name; a UUID never reaches a call that wants a number", async () => {
    const { jobs, open, desk } = await startStage(behaviour);
    const job = await loadReportOf(open(), await findContestJob(open(), "night run"));
    const uuid = job.uuid as string;
    for (const wanted of [uuid, String(job.id), ` ${uuid}\n`])
      expect((await findContestJob(open(), wanted)).id).toBe(jobs.done);
    const asCurrent = (env: Record<string, string>) => findContestJob({ ...open(), desk: { ...desk, env } });
    expect((await asCurrent({ JOB_UUID: uuid })).id).toBe(jobs.done);
    expect((await asCurrent({ JOB_ID: uuid })).id).toBe(jobs.done);
    const refuse = (wanted: string | undefined, code: string) =>
      expect(findContestJob(open(), wanted)).rejects.toMatchObject({ code, exit: 2 });
    await refuse("night", "contest_job_ambiguous");
    await refuse("nothing", "challenge_job_unknown");
    await refuse("11111111-2222-4333-8444-555555555555", "challenge_job_unknown");
    await refuse(undefined, "contest_job_none");
    const asNumber = { id: uuid as unknown as number, uuid, name: null };
    const wrong = { code: "challenge_job_id_wrong", exit: 2, details: { job: uuid } };
    await expect(loadScores(open(), asNumber)).rejects.toMatchObject(wrong);
    await expect(loadFailure(open(), asNumber)).rejects.toMatchObject(wrong);
  });
});

it("T43 raw, mean and sum are shown, whichever of them the board goes by", async () => {
  const { stage, jobs, open } = await startStage("new");
  const totals: (number | null)[] = [];
  for (const totalStyle of ["sum", "mean"] as const) {
    Object.assign(stage.host.config, { flags: { ...stage.host.config.flags, totalStyle } });
    const scores = await loadScores(open(), { id: jobs.done, uuid: null, name: null });
    totals.push(scores.total);
    expect(scores).toMatchObject({ raw: { total: scores.total }, mean: 0.625, sum: 1.25 });
  }
  expect(totals[0]).not.toBe(totals[1]);
});
