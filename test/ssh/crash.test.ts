import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { quoteShell } from "../../src/base/quote.ts";
import { PARK_STEPS, REMOTE_STEPS, WAITING_STEPS } from "../../src/supervise/launch-steps.ts";
import { type CrashCase, withCrashCase } from "../support/crash-case.ts";
import { type FakeGpus, makeFakeGpus } from "../support/fake-gpus.ts";
import { useSshd } from "../support/sshd.ts";

const sshd = useSshd();
const TAKEN = { memoryUsed: 9000 };
const FREE = { memoryUsed: 4 };
const STEPS = [...REMOTE_STEPS, ...PARK_STEPS, ...WAITING_STEPS];
/** Of the host; each case has one for itself. */
let gpus: FakeGpus;
let used = 0;

beforeAll(() => {
  gpus = makeFakeGpus(sshd().hostHome, { gpus: STEPS.map(() => ({})) });
  const { HOME: _, ...env } = gpus.env;
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quoteShell(value)}\n`);
  writeFileSync(join(sshd().hostHome, ".bashrc"), exports.join(""));
});

/** A case whose runs run on the host, in folders there that are the case's own. */
function withRemoteCase(work: (crash: CrashCase) => Promise<void>): Promise<void> {
  const gpu = used;
  used += 1;
  return withCrashCase(
    async (crash) => {
      writeFileSync(join(crash.sortie.project(), "train.py"), "print()");
      await work(crash);
      await crash.expectClean();
    },
    (folder) => {
      const places = `- Code dir: \`${folder}/host/code\`\n- job_dir: \`${folder}/host/jobs\`\n`;
      const { personHome: HOME, socketFolder: XDG_RUNTIME_DIR } = sshd();
      const section = `## Server\n- SSH: \`ssh box\`\n${places}`;
      return { section, gpus, gpu, env: { HOME, XDG_RUNTIME_DIR } };
    },
  );
}

const listJobs = ({ folder }: CrashCase) => {
  const place = join(folder, "host", "jobs");
  return existsSync(place) ? readdirSync(place) : [];
};

/** Nothing of a run stays on the host once it is cleaned away. */
async function expectForgotten(crash: CrashCase, runs: readonly { id: string }[]) {
  await crash.cleanLater(runs);
  expect(listJobs(crash)).toEqual([]);
}

describe.concurrent("L42 over ssh a launcher is killed with signal 9 right after a step", () => {
  const cases = REMOTE_STEPS.map((step, place) => [step, place >= REMOTE_STEPS.indexOf("started")] as const);

  it.each(cases)("L42 %s: one run or none, on record, and nothing left behind", (step, hasStarted) =>
    withRemoteCase(async (crash) => {
      const killed = await crash.launch(step);
      expect(killed).toMatchObject({ signal: "SIGKILL" });
      const runs = await crash.settle();
      expect(runs).toMatchObject([
        hasStarted
          ? { state: "succeeded", exitCode: 0, results: [{ path: "results/one" }] }
          : { state: "failed", endReason: "never_started", results: [] },
      ]);
      const again = await crash.ask(["confirm", killed.stdout]);
      expect(again).toMatchObject({
        exitCode: 4,
        error: { code: "plan_used", details: { run: runs[0].id } },
      });
      expect(crash.countRuns()).toBe(hasStarted ? 1 : 0);
      await expectForgotten(crash, runs);
    }),
  );

  it.each(PARK_STEPS)("L42 %s of a run that must wait: it waits, or never starts", (step) =>
    withRemoteCase(async (crash) => {
      crash.changeGpu(TAKEN);
      expect(await crash.launch(step, { waitGpuS: -1 })).toMatchObject({ signal: "SIGKILL" });
      const waits = PARK_STEPS.indexOf(step) >= PARK_STEPS.indexOf("parked");
      const { runs } = await crash.ask(["ls"]);
      expect(runs).toMatchObject([{ state: waits ? "waiting" : "failed" }]);
      crash.changeGpu(FREE);
      const ended = await crash.settle();
      expect(ended).toMatchObject([{ id: runs[0].id, state: waits ? "succeeded" : "failed" }]);
      expect(crash.countRuns()).toBe(waits ? 1 : 0);
      await expectForgotten(crash, ended);
    }),
  );
});

describe.concurrent("L42 over ssh a watcher is killed with signal 9 right after a step of starting a run that waited", () => {
  it.each(WAITING_STEPS)("L42 %s: the run is not lost, and does not run twice", (step) =>
    withRemoteCase(async (crash) => {
      crash.changeGpu(TAKEN);
      expect(await crash.launch("parked", { waitGpuS: -1 })).toMatchObject({ signal: "SIGKILL" });
      crash.changeGpu(FREE);
      expect(await crash.watch(step)).toMatchObject({ signal: "SIGKILL" });
      const runs = await crash.settle();
      expect(runs).toMatchObject([{ state: "succeeded", exitCode: 0, results: [{ path: "results/one" }] }]);
      expect(crash.countRuns()).toBe(1);
      await expectForgotten(crash, runs);
    }),
  );
});
