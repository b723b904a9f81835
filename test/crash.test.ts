import { describe, expect, it } from "vitest";
import { SENTINEL, withCrashCase } from "./support/crash-case.ts";
import { loadDoor } from "./support/door.ts";

const { LAUNCH_STEPS, PARK_STEPS } = await loadDoor();
const TAKEN = { memoryUsed: 9000 };
const FREE = { memoryUsed: 4 };

describe.concurrent("L42 a launcher is killed with signal 9 right after a step", () => {
  const cases = LAUNCH_STEPS.map((step, place) => [step, place >= LAUNCH_STEPS.indexOf("started")] as const);

  it.each(cases)("L42 %s: one run or none, on record, and nothing left behind", (step, hasStarted) =>
    withCrashCase(async (crash) => {
      const killed = await crash.launch(step);
      expect(killed).toMatchObject({ signal: "SIGKILL" });
      const runs = await crash.settle();
      expect(runs).toHaveLength(1);
      expect(runs[0]).toMatchObject(
        hasStarted
          ? { state: "succeeded", exitCode: 0, results: [{ path: "results/one" }] }
          : { state: "failed", endReason: "never_started", results: [] },
      );
      const again = await crash.ask(["confirm", killed.stdout]);
      expect(again).toMatchObject({
        exitCode: 4,
        error: { code: "plan_used", details: { run: runs[0].id } },
      });
      expect(crash.countRuns()).toBe(hasStarted ? 1 : 0);
      await crash.expectClean();
    }),
  );

  it.each(PARK_STEPS)("L42 %s of a run that must wait: it waits, or never starts", (step) =>
    withCrashCase(async (crash) => {
      crash.gpus.changeGpu(0, TAKEN);
      expect(await crash.launch(step, { waitGpuS: -1 })).toMatchObject({ signal: "SIGKILL" });
      const waits = PARK_STEPS.indexOf(step) >= PARK_STEPS.indexOf("parked");
      const { runs } = await crash.ask(["ls"]);
      expect(runs).toMatchObject([{ state: waits ? "waiting" : "failed" }]);
      crash.gpus.changeGpu(0, FREE);
      const ended = await crash.settle();
      expect(ended).toMatchObject([{ id: runs[0].id, state: waits ? "succeeded" : "failed" }]);
      expect(crash.countRuns()).toBe(waits ? 1 : 0);
      await crash.expectClean();
    }),
  );
});

describe.concurrent("L42 `sortie run` is killed with signal 9 at any moment", () => {
  const files = ["sortie.db", "variables.json", "env", "meta.json", "pid", "log"];
  const cases = files.flatMap((file) => [0, 15].map((delayMs) => [delayMs, file] as const));

  it.each(cases)(
    "L42 %d ms after %s is there: one run or none, and an unused plan that is whole can be used",
    (delayMs, file) =>
      withCrashCase(async (crash) => {
        const flags = ["--target", "local", "--yes", "--detach", "--env", `API_KEY=${SENTINEL}`];
        await crash.killWhen(["run", ...flags, "--", ...crash.command], new RegExp(`/${file}`), delayMs);
        const before = await crash.settle();
        const plans = crash.listPlans();
        expect(plans.length).toBeLessThanOrEqual(1);
        expect(before.map((run: { plan: string }) => run.plan)).toEqual(
          plans.flatMap(({ id, run }) => (run ? [id] : [])),
        );
        const answers = await Promise.all(plans.map((plan) => crash.ask(["confirm", plan.id])));
        // Killed before its values were written, the plan was never shown to anyone, and is refused.
        const whole = answers.filter(
          ({ error }) => !/values of its variables are gone/.test(error?.message ?? ""),
        );
        const runs = await crash.settle();
        expect(runs).toHaveLength(whole.length);
        const succeeded = runs.filter((run: { state: string }) => run.state === "succeeded");
        expect(crash.countRuns()).toBe(succeeded.length);
        await crash.cleanLater(runs);
        await crash.expectClean();
      }),
  );
});
