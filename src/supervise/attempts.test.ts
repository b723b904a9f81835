import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeUuid } from "../../test/support/fake-gpus.ts";
import { SEAT_TOKEN, type SeatCase, withSeatCase } from "../../test/support/seats.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import type { SortieError } from "../base/error.ts";
import { holdGpu } from "../gpus/hold-gpu.ts";
import { listEvents } from "../runs/events.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { moveRun } from "../runs/run-store.ts";
import { adoptRuns } from "./adopt-runs.ts";
import { collectRun } from "./collect-run.ts";
import { closeDesk, openDesk } from "./desk.ts";
import { makeTarget, THIS_MACHINE } from "./find-target.ts";
import { followRun } from "./follow-run.ts";
import { makeRerunWish } from "./plan-rerun.ts";
import { reserveForWaiting } from "./reserve-gpus.ts";
import { settleOnHost } from "./settle-host.ts";
import { settleRun } from "./settle-runs.ts";
import { releaseFailedStarts } from "./start-waiting.ts";
import { stopRun } from "./stop-run.ts";

const SAY = `echo "$SORTIE_ATTEMPT $SORTIE_AGENT_ID \${CUDA_VISIBLE_DEVICES-unset} \${SORTIE_RUN_GPUS-none} \${#JOB_TOKEN}"`;
/** Lives until it is killed, in its first attempt; ends well in the next one. */
const TWICE = ["sh", "-c", `${SAY}; [ "$SORTIE_ATTEMPT" -gt 1 ] || exec sleep 300`];
const FOREVER = ["sh", "-c", `${SAY}; exec sleep 300`];
const TOKEN_LENGTH = SEAT_TOKEN.length;

/** Up to the gap between its first attempt, which was killed, and the second. */
async function reachGap(place: SeatCase, command = TWICE): Promise<RunRecord> {
  const { id } = await place.start(await place.park(command));
  await place.killCommand(id);
  return place.waitForState(id, "waiting");
}

const rename = (run: RunRecord, agentId: string): RunRecord => ({
  ...run,
  seat: { ...(run.seat as NonNullable<RunRecord["seat"]>), agentId },
});

describe.concurrent("a seat whose command is killed with signal 9", () => {
  it("goes on as a second attempt with records of its own, and ends with the logs of both", () =>
    withSeatCase(async (place) => {
      const gap = await reachGap(place);
      const env = join(gap.jobFolder, "env");
      expect(gap).toMatchObject({ attempt: 2, pid: null, session: null, endReason: null, endedAt: null });
      expect(gap.seat).toMatchObject({ restarts: 1, agentId: "agent-one" });
      expect(statSync(env).mode & 0o777).toBe(0o600);
      expect(listEvents(place.desk.store, gap.id)).toContainEqual(
        expect.objectContaining({
          kind: "attempt_ended",
          body: expect.objectContaining({ attempt: 1, endReason: "signal", exitCode: 137 }),
        }),
      );
      const started = await place.start(rename(gap, "agent-two"));
      expect(started).toMatchObject({ state: "running", attempt: 2, seat: { agentId: "agent-two" } });
      const ended = await place.waitForState(gap.id, "succeeded");
      const folder = join(gap.jobFolder, "attempts", "2");
      expect(ended).toMatchObject({ attempt: 2, exitCode: 0, log: join(folder, "log"), endReason: "exited" });
      await waitFor(() => !existsSync(join(folder, "log.pipe")), { what: "the end of its supervisor" });
      expect(readdirSync(folder).sort()).toEqual(["exit", "log", "pid", "samples.csv"]);
      expect(existsSync(env)).toBe(false);
      const uuid = makeFakeUuid(0);
      const { resultsFolder } = await collectRun(place.desk, gap.id);
      const readHome = (name: string) => readFileSync(join(resultsFolder as string, name), "utf8");
      expect([readHome("log.1"), readHome("log")]).toEqual([
        `1 agent-one ${uuid} none ${TOKEN_LENGTH}\n`,
        `2 agent-two ${uuid} none ${TOKEN_LENGTH}\n`,
      ]);
      const copy = join(place.folder, "copy");
      await collectRun(place.desk, gap.id, { to: copy });
      expect(readdirSync(copy)).toEqual(expect.arrayContaining(["log", "log.1"]));
      expect(await place.sortie.show(gap.id)).toMatchObject({ attempt: 2, log: ended.log });
      const { stdout } = await place.sortie.run(["logs", gap.id]);
      expect(stdout).toContain("2 agent-two");
    }));

  it("hides no GPU from a script, and names the one that is leased", () =>
    withSeatCase(async (place) => {
      const { id } = await place.start(await place.park(["sh", "-c", SAY], { runner: "script" }));
      const { log } = await place.waitForState(id, "succeeded");
      expect(readFileSync(log, "utf8")).toBe(`1 agent-one unset ${makeFakeUuid(0)} ${TOKEN_LENGTH}\n`);
    }));

  it("waits for what the attempt has left, which holds its GPU", () =>
    withSeatCase(async (place) => {
      const gap = await reachGap(place, ["sh", "-c", `sleep 300 & ${SAY}; exec sleep 301`]);
      expect(place.listProcesses()).toEqual([]);
      expect(await place.start(gap)).toMatchObject({ state: "running", attempt: 2 });
      await stopRun(place.desk, gap.id, { graceS: 1 });
    }));

  it("follows the logs of both attempts whole", () =>
    withSeatCase(async (place) => {
      const { id } = await place.start(await place.park(TWICE));
      let text = "";
      const followed = followRun(place.desk, id, { onBytes: (bytes) => (text += Buffer.from(bytes)) });
      await place.killCommand(id);
      await place.start(await place.waitForState(id, "waiting"));
      expect((await followed).run.state).toBe("succeeded");
      expect(text.split("\n").map((line) => line.slice(0, 2))).toEqual(["1 ", "2 ", ""]);
    }));
});

describe.concurrent("between two attempts", () => {
  it("a stop ends the run: the next attempt never starts, and its variables are gone", () =>
    withSeatCase(async (place) => {
      const gap = await reachGap(place);
      const { run } = await stopRun(place.desk, gap.id, { graceS: 1, by: "anna" });
      expect(run).toMatchObject({ state: "stopped", endReason: "stopped", attempt: 2, results: null });
      expect(existsSync(join(gap.jobFolder, "env"))).toBe(false);
      expect(await place.start(gap)).toMatchObject({ state: "stopped" });
      expect(place.listProcesses()).toEqual([]);
      const { resultsFolder } = await collectRun(place.desk, gap.id);
      expect(readFileSync(join(resultsFolder as string, "log"), "utf8")).toMatch(/^1 agent-one/);
    }));

  it("its GPU is kept for it, and the run is in no line", () =>
    withSeatCase(async (place) => {
      const gap = await reachGap(place);
      const report = await makeTarget(place.desk, THIS_MACHINE).loadGpus({ python: null });
      expect(report.gpus[0]?.state).toBe("free");
      expect(reserveForWaiting(place.desk, report, place.desk.identity.host).gpus[0]).toMatchObject({
        reason: "reserved",
        message: expect.stringContaining(gap.name),
      });
    }));

  it("another may take its GPU all the same: then it waits on, and says for whom", () =>
    withSeatCase(async (place) => {
      const gap = await reachGap(place);
      const held = await holdGpu({ candidates: [makeFakeUuid(0)], holder: "r-other", env: place.env });
      if (typeof held === "string") throw new Error(held);
      const waiting = await place.start(gap);
      expect(waiting).toMatchObject({ state: "waiting", attempt: 2 });
      expect(waiting.waitingFor).toContain("r-other");
      expect(Date.parse(waiting.seat?.notBefore as string)).toBeGreaterThan(Date.now());
      await held.release();
      await place.start(waiting);
      await place.waitForState(gap.id, "succeeded");
    }));

  it("it is not started beside a program that has come to use its GPU without a lease", () =>
    withSeatCase(async (place) => {
      const gap = await reachGap(place);
      place.machine.setProcesses([{ gpuUuid: makeFakeUuid(0), pid: process.pid, name: "train" }]);
      const waiting = await place.start(gap);
      expect(waiting).toMatchObject({ state: "waiting", attempt: 2 });
      expect(waiting.waitingFor).toContain(`GPU 0 used by process ${process.pid} (train`);
      expect(Date.parse(waiting.seat?.notBefore as string)).toBeGreaterThan(Date.now());
      place.machine.setProcesses([]);
      await place.start(waiting);
      await place.waitForState(gap.id, "succeeded");
    }));
});

it.concurrent("a start that fails as on a full disk leaves the next one its variables", () =>
  withSeatCase(async (place) => {
    const gap = await reachGap(place);
    const [attempts, script] = ["attempts", "job.sh"].map((name) => join(gap.jobFolder, name)) as [
      string,
      string,
    ];
    rmSync(script);
    mkdirSync(script); // neither can the job be prepared
    writeFileSync(attempts, ""); // nor can the attempt be closed
    expect(await place.start(gap)).toMatchObject({ state: "preparing", attempt: 2 });
    for (const path of [attempts, script]) rmSync(path, { recursive: true });
    releaseFailedStarts(place.desk);
    const waiting = await settleRun(place.desk, gap.id);
    expect(waiting).toMatchObject({ state: "waiting", attempt: 2 });
    await place.start(waiting);
    const ended = await place.waitForState(gap.id, "succeeded");
    expect(readFileSync(ended.log, "utf8")).toMatch(new RegExp(` ${TOKEN_LENGTH}$`, "m"));
    expect(existsSync(join(gap.jobFolder, "env"))).toBe(false);
  }));

it.concurrent("a supervisor that runs although its run waits is found by the next start, and not doubled", () =>
  withSeatCase(async (place) => {
    const gap = await reachGap(place, FOREVER);
    await place.start(gap);
    const running = await waitFor(async () => {
      const run = await place.waitForState(gap.id, "running");
      return run.pid === null ? null : run;
    });
    expect(await place.start(moveRun(place.desk.store, gap.id, "waiting"))).toMatchObject({ attempt: 2 });
    expect((await place.waitForState(gap.id, "running")).pid).toBe(running.pid);
    await stopRun(place.desk, gap.id, { graceS: 1 });
    expect(readFileSync(running.log, "utf8").split("\n")).toHaveLength(2);
  }));

describe.concurrent("an observation of the first attempt", () => {
  it("is no news of the second, whether that has begun or not", () =>
    withSeatCase(async (place) => {
      const first = await place.start(await place.park(FOREVER));
      await place.killCommand(first.id);
      const running = place.load(first.id);
      const gap = await place.waitForState(first.id, "waiting");
      await settleOnHost(place.desk, [running]);
      expect(place.load(first.id)).toEqual(gap);
      // Another process is just about to start the second.
      const preparing = moveRun(place.desk.store, first.id, "preparing", { launcher: place.desk.identity });
      await settleOnHost(place.desk, [running]);
      expect(place.load(first.id)).toEqual(preparing);
      const second = await place.start(moveRun(place.desk.store, first.id, "waiting"));
      await settleOnHost(place.desk, [running]);
      expect(place.load(first.id)).toMatchObject({ state: "running", attempt: 2, log: second.log });
      const { run } = await stopRun(place.desk, first.id, { graceS: 1 });
      expect(run).toMatchObject({ state: "stopped", endReason: "stopped", attempt: 2 });
      const { pid } = place.load(first.id);
      expect(pid).not.toBe(running.pid);
      expect(existsSync(join(run.jobFolder, "attempts", "2", "exit"))).toBe(true);
      expect(existsSync(join(run.jobFolder, "attempts", "3"))).toBe(false);
    }));

  it("with the second's folder gone, is that of a lost run", () =>
    withSeatCase(async (place) => {
      const gap = await reachGap(place, FOREVER);
      await place.start(gap);
      const { pid } = await waitFor(async () => {
        const run = await place.waitForState(gap.id, "running");
        return run.pid === null ? null : run;
      });
      rmSync(join(gap.jobFolder, "attempts"), { recursive: true });
      process.kill(pid as number, "SIGKILL");
      expect(await place.waitForState(gap.id, "lost")).toMatchObject({ attempt: 2 });
    }));
});

it.concurrent("a job folder with attempts is adopted at its newest", () =>
  withSeatCase(async (place) => {
    const gap = await reachGap(place);
    await place.start(gap);
    await place.waitForState(gap.id, "succeeded");
    const other = openDesk({
      env: { ...place.env, SORTIE_HOME: join(place.folder, "other home") },
      self: place.desk.self,
    });
    try {
      const { adopted } = await adoptRuns(other, place.desk.home.jobs);
      expect(adopted).toEqual([{ id: gap.id, name: gap.name }]);
      expect(other.store.find("SELECT body FROM runs")?.["body"]).toMatch(
        /"state":"succeeded".*"attempt":2.*attempts\/2\/log/,
      );
    } finally {
      closeDesk(other);
    }
  }));

it.concurrent("an agent of a fleet is not run again alone", () =>
  withSeatCase(async (place) => {
    const run = await place.park(TWICE);
    const call = () => makeRerunWish(run, {} as Parameters<typeof makeRerunWish>[1], {});
    expect(call).toThrow(expect.objectContaining({ code: "run_of_fleet" }) as SortieError);
    await stopRun(place.desk, run.id, { graceS: 0 });
  }));
