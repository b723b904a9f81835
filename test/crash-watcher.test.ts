import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CrashCase, withCrashCase } from "./support/crash-case.ts";
import { loadDoor } from "./support/door.ts";
import { waitFor } from "./support/wait-for.ts";
import { findWatcherPid } from "./support/watcher-pid.ts";

const { WAITING_STEPS } = await loadDoor();

describe.concurrent("L42 a watcher is killed with signal 9 right after a step of starting a run that waited", () => {
  it.each(WAITING_STEPS)("L42 %s: the run is not lost, and does not run twice", (step) =>
    withCrashCase(async (crash) => {
      crash.gpus.changeGpu(0, { memoryUsed: 9000 });
      expect(await crash.launch("parked", { waitGpuS: -1 })).toMatchObject({ signal: "SIGKILL" });
      crash.gpus.changeGpu(0, { memoryUsed: 4 });
      expect(await crash.watch(step)).toMatchObject({ signal: "SIGKILL" });
      const runs = await crash.settle();
      expect(runs).toMatchObject([{ state: "succeeded", exitCode: 0, results: [{ path: "results/one" }] }]);
      expect(crash.countRuns()).toBe(1);
      await crash.expectClean();
    }),
  );
});

describe.concurrent("L42 a watcher", () => {
  it("L42 is replaced when it is killed, by the next command that looks", () =>
    withCrashCase(async (crash) => {
      const command = ["sh", "-c", "while [ ! -e go ]; do sleep 0.05; done"];
      await crash.launch(null, { command });
      const first = await waitForWatcher(crash, 0);
      process.kill(first, "SIGKILL");
      await waitFor(() => !crash.listProcesses().some(({ pid }) => pid === first));
      await crash.ask(["ls"]);
      const second = await waitForWatcher(crash, first);
      expect(second).not.toBe(first);
      crash.touch("go");
      // Nobody but the watcher brings it home.
      await waitFor(() => existsSync(join(crash.sortie.home(), "runs")), {
        timeoutMs: 20_000,
        what: "results at home",
      });
      await crash.settle();
      await crash.expectClean();
    }));

  it("L42 is alone, however many are started at once", () =>
    withCrashCase(async (crash) => {
      const command = ["sh", "-c", "while [ ! -e go ]; do sleep 0.05; done"];
      await crash.launch("recorded", { command });
      const ends = Promise.all(Array.from({ length: 4 }, () => crash.watch(null)));
      await waitForWatcher(crash, 0);
      await waitFor(() => listWatchers(crash).length === 1, { what: "one watcher" });
      crash.touch("go");
      expect((await ends).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
      expect(await crash.settle()).toMatchObject([{ state: "succeeded" }]);
      await crash.expectClean();
    }));
});

describe.concurrent("L42 results are being brought home", () => {
  const write =
    "mkdir -p results; i=0; while [ $i -lt 300 ]; do head -c 20000 /dev/zero >results/$i; i=$((i+1)); done";
  const isCopying = (crash: CrashCase) => {
    const place = join(crash.sortie.home(), "runs");
    return (
      existsSync(place) &&
      readdirSync(place).some((name) => name.includes(".collecting-") && !name.endsWith("json"))
    );
  };

  it("L42 and the watcher is killed: the next one brings all of them", () =>
    withCrashCase(async (crash) => {
      await crash.launch(null, { command: ["sh", "-c", write] });
      const watcher = await waitForWatcher(crash, 0);
      await waitFor(() => isCopying(crash), { intervalMs: 1, what: "copying" });
      process.kill(watcher, "SIGKILL");
      expect(isCopying(crash)).toBe(true);
      const [run] = await crash.settle();
      expect(run.results).toHaveLength(300);
      await crash.expectClean();
    }));

  it("L42 and `sortie collect` is killed: a second one brings all of them", () =>
    withCrashCase(async (crash) => {
      const { stdout: plan } = await crash.launch("recorded", { command: ["sh", "-c", write] });
      const id = crash.listPlans().find((known) => known.id === plan)?.run as string;
      await waitFor(() => existsSync(join(crash.sortie.home(), "jobs", id, "exit")), { timeoutMs: 20_000 });
      await crash.killWhen(["collect", id], /\.collecting-[^/]*\/results/, 0);
      expect(isCopying(crash)).toBe(true);
      expect(await crash.ask(["collect", id])).toMatchObject({ exitCode: 0, collected: true });
      const [run] = await crash.settle();
      expect(run.results).toHaveLength(300);
      await crash.cleanLater([run]);
      await crash.expectClean();
    }));
});

function listWatchers(crash: CrashCase): number[] {
  return crash.listProcesses().flatMap(({ pid, command }) => (/watch/.test(command) ? [pid] : []));
}

/** The number of the watcher that has put itself on record after another. */
async function waitForWatcher(crash: CrashCase, after: number): Promise<number> {
  return waitFor(
    () => {
      const pid = findWatcherPid(crash.sortie.home()) ?? 0;
      return pid === after ? 0 : pid;
    },
    { timeoutMs: 15_000, intervalMs: 5, what: "a watcher" },
  );
}
