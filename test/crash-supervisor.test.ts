import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CrashCase, withCrashCase } from "./support/crash-case.ts";
import { waitFor } from "./support/wait-for.ts";

/** Whatever moment it was: one run at most, on record, and its end is one of those that a dead supervisor can leave. */
async function expectSettled(crash: CrashCase): Promise<string> {
  const runs = await crash.settle();
  expect(runs).toHaveLength(1);
  const { state, endReason, jobFolder } = runs[0];
  expect(["succeeded exited", "lost supervisor_killed", "failed launch_failed", "failed exited"]).toContain(
    `${state} ${endReason}`,
  );
  expect(crash.countRuns()).toBeLessThanOrEqual(1);
  if (state === "succeeded") expect(crash.countRuns()).toBe(1);
  const exit = join(jobFolder, "exit");
  if (existsSync(exit)) expect(readFileSync(exit, "utf8")).toMatch(/^code=.*\nreason=.+\nended_at=.+\n/);
  await crash.cleanLater(runs);
  await crash.expectClean();
  return `${state} ${endReason}`;
}

describe.concurrent("L42 a supervisor is killed with signal 9", () => {
  const findSupervisor = (crash: CrashCase) =>
    crash.listProcesses().find(({ command }) => /^(sh|dash) .* supervise 1$/.test(command));

  it.each([0, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100])("L42 %d ms after it began", (delayMs) =>
    withCrashCase(async (crash) => {
      const launched = crash.launch(null);
      const supervisor = await waitFor(() => findSupervisor(crash), {
        intervalMs: 1,
        what: "the supervisor",
      });
      await crash.killAfter(supervisor.pid, delayMs);
      await launched;
      await expectSettled(crash);
    }),
  );

  it.each([0, 5, 10, 20, 30, 50])("L42 %d ms after its command ended", (delayMs) =>
    withCrashCase(async (crash) => {
      await crash.launch(null);
      const [{ jobFolder }] = (await crash.ask(["ls"])).runs;
      const { supervisor, group } = await waitFor(() => hasGroup(crash.readPid({ jobFolder })), {
        what: "a command",
      });
      await waitFor(() => !existsSync(`/proc/${group}/exe`) || isZombie(group), {
        intervalMs: 1,
        what: "its end",
      });
      await crash.killAfter(Number(supervisor), delayMs);
      expect(["succeeded exited", "lost supervisor_killed"]).toContain(await expectSettled(crash));
    }),
  );
});

describe.concurrent("L42 a command outlives its supervisor, which was killed", () => {
  it("L42 it goes on as the run that it is, holds its GPU, can be seen, and is lost in the end", () =>
    withCrashCase(async (crash) => {
      await crash.launch(null, {
        command: ["sh", "-c", 'while [ ! -e go ]; do sleep 0.05; done; echo ran >>"$1"', "sh", crash.ranFile],
      });
      const [run] = (await crash.ask(["ls"])).runs;
      const { supervisor } = await waitFor(() => hasGroup(crash.readPid(run)), { what: "a command" });
      await crash.killAfter(Number(supervisor), 0);
      expect((await crash.ask(["show", run.id])).state).toBe("running");
      expect(await crash.listHeldLeases()).toHaveLength(1);
      crash.touch("go");
      expect(await crash.settle()).toMatchObject([{ state: "lost", endReason: "supervisor_killed" }]);
      expect(crash.countRuns()).toBe(1);
      await crash.cleanLater([run]);
      await crash.expectClean();
    }));

  it("L42 what it left behind after its end is ended by whoever brings the run home", () =>
    withCrashCase(async (crash) => {
      await crash.launch(null, {
        command: ["sh", "-c", "sleep 300 & setsid sleep 300 & echo done"],
        graceS: 1,
      });
      const [run] = (await crash.ask(["ls"])).runs;
      const { supervisor } = await waitFor(() => hasGroup(crash.readPid(run)), { what: "a command" });
      await waitFor(() => existsSync(join(run.jobFolder, "exit")), { intervalMs: 1, what: "its exit" });
      await crash.killAfter(Number(supervisor), 0);
      expect(await crash.settle()).toMatchObject([{ state: "succeeded" }]);
      await crash.cleanLater([run]);
      await crash.expectClean();
    }));
});

it("L42 a run that ends while many look is never called lost", () =>
  withCrashCase(async (crash) => {
    await crash.launch(null);
    const looks = Array.from({ length: 3 }, async () => {
      for (;;) {
        const [run] = (await crash.ask(["ls"])).runs;
        if (run.endedAt) return run.state as string;
      }
    });
    expect(await Promise.all(looks)).toEqual(["succeeded", "succeeded", "succeeded"]);
    await crash.expectClean();
  }));

function hasGroup(pid: Record<string, string>) {
  const { supervisor, group } = pid;
  return supervisor && group ? { supervisor, group } : null;
}

function isZombie(pid: string): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true; // it is gone
  }
}
