import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { quoteShell } from "../../src/base/quote.ts";
import { writeQuickPython } from "../support/contract-stage.ts";
import { type CrashCase, withCrashCase } from "../support/crash-case.ts";
import { type FakeGpus, makeFakeGpus, makeFakeUuid } from "../support/fake-gpus.ts";
import { SORTIE } from "../support/sortie.ts";
import { useSshd } from "../support/sshd.ts";
import { waitFor } from "../support/wait-for.ts";
import { writeWheel } from "../support/wheel.ts";

const sshd = useSshd();
const CASES = 5;
const TAKEN = { memoryUsed: 9000 };
const FREE = { memoryUsed: 4 };
/** Of the host; each case has one for itself. */
let gpus: FakeGpus;
let used = 0;

beforeAll(() => {
  gpus = makeFakeGpus(sshd().hostHome, { gpus: Array.from({ length: CASES }, () => ({})) });
  const { HOME: _, ...env } = gpus.env;
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quoteShell(value)}\n`);
  writeFileSync(join(sshd().hostHome, ".bashrc"), exports.join(""));
  writeQuickPython(join(sshd().hostHome, "my tools"));
});

/** A case whose project specifies an environment; all that is of the host lies in the case's folder. */
function withContract(work: (crash: CrashCase, gpu: string) => Promise<void>, waits = false): Promise<void> {
  const gpu = used;
  used += 1;
  return withCrashCase(
    async (crash) => {
      const { folder, sortie } = crash;
      const write = (name: string, text: string) => writeFileSync(join(sortie.project(), name), text);
      mkdirSync(join(folder, "host"));
      writeWheel(sortie.project(), { name: "alpha", version: "1.0" });
      write("train.py", "print()");
      const go = quoteShell(join(folder, "host", "go"));
      const started = quoteShell(join(folder, "host", "building"));
      const spec = {
        base: `venv:${join(sshd().hostHome, "my tools", "quick python")}`,
        pip_phases: [["--no-index", "--find-links", ".", "alpha"]],
        run_commands: waits ? [`echo built >>${started}; until [ -e ${go} ]; do sleep 0.05; done`] : [],
        smoke: { import_names: ["alpha"], gpu_tests: [{ cmd: "echo computed", expect: "computed" }] },
      };
      write("env-spec.json", JSON.stringify(spec));
      await work(crash, makeFakeUuid(gpu));
      expect(listEnvs(crash)).toEqual(["my-project", expect.stringMatching(/^my-project-[0-9a-f]{8}-1$/)]);
      await crash.expectClean();
    },
    (folder) => {
      const places = ["code", "jobs", "envs"].map((name) => join(folder, "host", name));
      const [code, jobs, envs] = places;
      const section = `## Server\n- SSH: \`ssh box\`\n- Code dir: \`${code}\`\n- job_dir: \`${jobs}\`\n- env_dir: \`${envs}\`\n`;
      const { personHome: HOME, socketFolder: XDG_RUNTIME_DIR } = sshd();
      return { section, gpus, gpu, env: { HOME, XDG_RUNTIME_DIR } };
    },
  );
}

function listEnvs({ folder }: CrashCase) {
  const place = join(folder, "host", "envs");
  const all = existsSync(place) ? readdirSync(place) : [];
  return all.filter((name) => !name.startsWith(".") && !/^(logs|records)$/.test(name)).sort();
}

describe.concurrent("L42 with an environment under contract a launcher is killed with signal 9", () => {
  it("in the middle of a build: the build goes on, and the next run uses it", () =>
    withContract(async (crash, gpu) => {
      const child = spawn(
        process.execPath,
        [SORTIE, "run", "--yes", "--gpu", gpu, "--name", "killed", "--", ...crash.command],
        {
          env: crash.sortie.makeEnv(crash.env) as NodeJS.ProcessEnv,
          cwd: crash.sortie.project(),
          stdio: "ignore",
        },
      );
      const ended = new Promise((resolve) => child.on("close", resolve));
      const isBuilding = () => existsSync(join(crash.folder, "host", "building"));
      await waitFor(isBuilding, { timeoutMs: 40_000, what: "the build" });
      child.kill("SIGKILL");
      await ended;
      expect(await crash.ask(["show", "killed"])).toMatchObject({
        ...{ state: "failed", endReason: "never_started" },
      });
      const again = crash.launch(null);
      writeFileSync(join(crash.folder, "host", "go"), "");
      expect(await again).toMatchObject({ exitCode: 0 });
      const runs = await crash.settle();
      expect(runs.map(({ state }: { state: string }) => state).sort()).toEqual(["failed", "succeeded"]);
      expect(crash.countRuns()).toBe(1);
    }, true));

  it("right after its environment was ready: nothing runs, and the next run finds nothing to do", () =>
    withContract(async (crash) => {
      expect(await crash.launch("environment_ready")).toMatchObject({ signal: "SIGKILL" });
      expect(await crash.settle()).toMatchObject([{ state: "failed", endReason: "never_started" }]);
      expect(crash.countRuns()).toBe(0);
      const checked = await crash.ask(["env", "check"]);
      expect(checked.passed.map(({ tier }: { tier: number }) => tier)).toEqual([1, 2]);
      expect(await crash.launch(null)).toMatchObject({ exitCode: 0 });
      await crash.settle();
      expect(crash.countRuns()).toBe(1);
    }));

  it("after the start: the run goes on, and comes home", () =>
    withContract(async (crash) => {
      expect(await crash.launch("started")).toMatchObject({ signal: "SIGKILL" });
      const runs = await crash.settle();
      expect(runs).toMatchObject([{ state: "succeeded", results: [{ path: "results/one" }] }]);
      expect(crash.countRuns()).toBe(1);
    }));

  it("as its run must wait for a GPU: it waits with what could be shown, or never starts", () =>
    withContract(async (crash) => {
      crash.changeGpu(TAKEN);
      expect(await crash.launch("environment_ready", { waitGpuS: -1 })).toMatchObject({ signal: "SIGKILL" });
      expect((await crash.ask(["ls"])).runs).toMatchObject([{ state: "failed" }]);
      crash.changeGpu(FREE);
      await crash.settle();
      expect(crash.countRuns()).toBe(0);
    }));

  it("that is the watcher, and starts a run that waited: it is not lost, and does not run twice", () =>
    withContract(async (crash) => {
      crash.changeGpu(TAKEN);
      expect(await crash.launch("parked", { waitGpuS: -1 })).toMatchObject({ signal: "SIGKILL" });
      crash.changeGpu(FREE);
      expect(await crash.watch("environment_ready")).toMatchObject({ signal: "SIGKILL" });
      const runs = await crash.settle();
      expect(runs).toMatchObject([{ state: "succeeded", results: [{ path: "results/one" }] }]);
      expect(crash.countRuns()).toBe(1);
    }));
});
