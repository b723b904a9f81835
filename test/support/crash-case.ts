import { spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { RunWish } from "../../src/supervise/make-request.ts";
import { type FakeGpu, type FakeGpus, makeFakeGpus, makeFakeUuid } from "./fake-gpus.ts";
import { findOwnProcesses, hasVariable, killQuietly } from "./own-processes.ts";
import { checkDatabase, expirePlans, readPlans } from "./read-database.ts";
import { makeSortie, SORTIE } from "./sortie.ts";
import { waitFor } from "./wait-for.ts";

/** Given to every run as a variable: in the end no file may hold it. */
export const SENTINEL = "s3ntinel-of-the-crash-tests";

export type CrashCase = ReturnType<typeof makeCase>;

/** Where the runs of a case run. */
export interface CrashPlace {
  /** The section of the project that says so, in the words of an AGENTS.md; null: on this machine. */
  readonly section: string | null;
  readonly gpus: FakeGpus;
  /** The place of the one GPU that is for this case. */
  readonly gpu: number;
  /** What `sortie` gets over the usual environment. */
  readonly env: Readonly<Record<string, string>>;
}

const HERE = (folder: string): CrashPlace => {
  const gpus = makeFakeGpus(folder);
  return { section: null, gpus, gpu: 0, env: gpus.env };
};

/** A home of its own with one GPU, in which things are killed. Cases may stand side by side; `work` ends with `settle`. */
export async function withCrashCase(
  work: (crash: CrashCase) => Promise<void>,
  makePlace: (folder: string) => CrashPlace = HERE,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sortie 'crash' "));
  const crash = makeCase(folder, makePlace(folder));
  try {
    await work(crash);
  } finally {
    for (const { pid } of crash.listProcesses()) killQuietly(pid);
    await waitFor(() => crash.listProcesses().length === 0, { what: "the end of every process" });
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function makeCase(folder: string, { section, gpus, gpu, env }: CrashPlace) {
  const sortie = makeSortie(() => folder);
  const ranFile = join(folder, "ran");
  if (section !== null) writeFileSync(join(sortie.project(), "AGENTS.md"), section);
  const command = [
    "sh",
    "-c",
    `echo ran >>"$1"; mkdir -p results; echo 1 >results/one; sleep 0.3`,
    "sh",
    ranFile,
  ];
  const wish: RunWish = {
    command,
    cwd: sortie.project(),
    target: section === null ? "local" : null,
    name: null,
    gpus: 1,
    gpu: section === null ? [] : [makeFakeUuid(gpu)],
    envFiles: [],
    isCwdGiven: true,
    variables: { API_KEY: SENTINEL },
    results: null,
    timeoutS: null,
    graceS: null,
    expectS: null,
    waitGpuS: null,
    freeze: false,
    copies: [],
    environment: null,
    unverified: false,
  };
  const drive = (name: string, orders: object) =>
    sortie.runner.run(
      [
        process.execPath,
        fileURLToPath(new URL(name, import.meta.url)),
        JSON.stringify({ ...orders, self: [process.execPath, SORTIE] }),
      ],
      { env: sortie.makeEnv(env), cwd: folder, timeoutMs: 60_000 },
    );

  return {
    folder,
    sortie,
    gpus,
    /** Of the case's own GPU. */
    changeGpu: (change: FakeGpu) => gpus.changeGpu(gpu, change),
    env,
    command,
    /** Plans and confirms one run, killed right after the step. */
    launch: (dieAt: string | null, more: Partial<RunWish> = {}) =>
      drive("crash-launch.mjs", { wish: { ...wish, ...more }, dieAt }),
    watch: (dieAt: string | null) => drive("crash-watch.mjs", { dieAt }),
    /** Calls `sortie` and kills it so long after its home holds a file whose path matches, or at its end. */
    killWhen: (args: readonly string[], path: RegExp, delayMs: number) =>
      new Promise<void>((resolve) => {
        const child = spawn(process.execPath, [SORTIE, ...args], {
          env: sortie.makeEnv(env) as NodeJS.ProcessEnv,
          cwd: sortie.project(),
          stdio: "ignore",
        });
        const timer = setInterval(() => {
          if (!listFiles(sortie.home()).some((file) => path.test(file))) return;
          clearInterval(timer);
          setTimeout(() => child.kill("SIGKILL"), delayMs);
        }, 1);
        child.on("exit", () => {
          clearInterval(timer);
          resolve();
        });
      }),
    ask: (args: readonly string[]) => sortie.ask(args, { env }),
    ranFile,
    /** Kills a process of the case so long from now, and waits until it is dead. */
    async killAfter(pid: number, delayMs: number) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      killQuietly(pid);
      await waitFor(() => !findOwnProcesses().some((process) => process.pid === pid), { what: "its death" });
    },
    touch: (name: string) => writeFileSync(join(sortie.project(), name), ""),
    /** How often the command really ran. */
    countRuns: () => (existsSync(ranFile) ? readFileSync(ranFile, "utf8").split("\n").length - 1 : 0),
    /** Processes that belong to this home, by their environment; a shared connection stays open for a while. */
    listProcesses: () =>
      findOwnProcesses().filter(
        ({ pid, command }) => !/\[mux\]/.test(command) && hasVariable(pid, `SORTIE_HOME=${sortie.home()}`),
      ),
    listPlans: () => readPlans(join(sortie.home(), "sortie.db")),

    listHeldLeases: async () => {
      const held = await listHeldLeases(sortie, gpus.leaseFolder);
      return held.filter((file) => file.includes(makeFakeUuid(gpu)));
    },
    /** The lines of a run's `pid`; empty where there is none. */
    readPid: (run: { jobFolder: string }) => readRecord(join(run.jobFolder, "pid")),

    /** Looks as a person would until every run has ended and is home. Answers with the runs. */
    async settle(timeoutMs = 40_000) {
      const done = await waitFor(
        async () => {
          const { runs } = await sortie.ask(["ls"], { env });
          return runs.every((run: { endedAt: string; collected: boolean }) => run.endedAt && run.collected)
            ? { runs }
            : null;
        },
        { timeoutMs, intervalMs: 300, what: "the end of every run" },
      );
      return done.runs;
    },

    /** Cleans as a person does a day later: what killed processes left half done goes with the runs. */
    async cleanLater(runs: readonly { id: string }[]) {
      const dayAgo = new Date(Date.now() - 24 * 3600 * 1000);
      const plans = join(sortie.home(), "plans");
      for (const name of existsSync(plans) ? readdirSync(plans) : [])
        utimesSync(join(plans, name), dayAgo, dayAgo);
      await this.expectQuiet();
      expirePlans(join(sortie.home(), "sortie.db"), dayAgo);
      const cleaned = await sortie.ask(["clean", "--yes", ...runs.map((run) => run.id)], { env });
      expect(cleaned).toMatchObject({ exitCode: 0, kept: [] });
    },

    /** Nothing lives or holds a GPU. */
    async expectQuiet() {
      const alive = () => this.listProcesses();
      await waitFor(() => alive().length === 0, { timeoutMs: 20_000, what: "no process left" }).catch(() =>
        expect(alive()).toEqual([]),
      );
      // Who looks at a GPU holds its lease for a moment, on another host also when the one who asked is gone.
      const areFree = async () => (await this.listHeldLeases()).length === 0;
      await waitFor(areFree, { timeoutMs: 20_000, what: "no lease held" }).catch(async () =>
        expect(await this.listHeldLeases()).toEqual([]),
      );
    },

    /** The same, and nothing is half written or keeps a secret. */
    async expectClean() {
      await this.expectQuiet();
      const files = listFiles(folder);
      expect(
        files.filter((file) => /\.(tmp|new)$|\.collecting-|log\.pipe$|\/(launching|pid\.|sent$)/.test(file)),
      ).toEqual([]);
      for (const file of files.filter((name) => name.endsWith(".json")))
        JSON.parse(readFileSync(file, "utf8"));
      expect(files.filter((file) => readFileSync(file).includes(SENTINEL))).toEqual([]);
      expect(checkDatabase(join(sortie.home(), "sortie.db"))).toBe("ok");
    },
  };
}

/** A held lease is a lock that nobody else gets. */
async function listHeldLeases({ runner }: ReturnType<typeof makeSortie>, folder: string): Promise<string[]> {
  const files = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const answers = await Promise.all(
    files.map((file) => runner.run(["flock", "-n", "-x", file, "true"], { timeoutMs: 10_000 })),
  );
  return files.filter((_, place) => answers[place]?.exitCode !== 0);
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === false);
}

function readRecord(path: string): Record<string, string> {
  if (!existsSync(path)) return {};
  const lines = readFileSync(path, "utf8").split("\n");
  return Object.fromEntries(lines.filter((line) => line.includes("=")).map((line) => line.split("=", 2)));
}
