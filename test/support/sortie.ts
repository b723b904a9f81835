import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import { makeLocalRunner } from "../../src/process/local-runner.ts";
import { findOwnProcesses, killQuietly } from "./own-processes.ts";
import { useTempFolder } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";
import { findWatcherPid } from "./watcher-pid.ts";

export const SORTIE = fileURLToPath(new URL("../../bin/sortie", import.meta.url));

type Env = Readonly<Record<string, string | undefined>>;

export interface SortieOutcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read documents freely; their shape is what they check
type Document = any;

/** The built `sortie` for each test of a file. After each test all that still runs is stopped. */
export function useSortie() {
  const temp = useTempFolder();
  const sortie = makeSortie(temp);
  afterEach(async () => {
    const watcher = findWatcherPid(sortie.home());
    if (watcher !== null) killQuietly(watcher);
    for (const { pid } of findOwnProcesses()) killQuietly(pid);
    await waitFor(() => findOwnProcesses().length === 0, { what: "the end of every process" });
  });
  return sortie;
}

/**
 * The built `sortie` in a folder, as a person has it: a home folder, a project folder, a folder for screens and one
 * for leases of its own.
 */
export function makeSortie(temp: () => string) {
  const runner = makeLocalRunner();
  const project = () => makeFolder(join(temp(), "my project"));
  const home = () => join(temp(), "sortie home");

  const makeEnv = (more: Env = {}): Env => ({
    ...process.env,
    HOME: makeFolder(join(temp(), "person")),
    SORTIE_HOME: home(),
    SORTIE_LEASE_DIR: join(temp(), "leases"),
    SCREENDIR: makeFolder(join(temp(), "s")),
    ...more,
  });

  const run = async (
    args: readonly string[],
    options: { env?: Env; cwd?: string; timeoutMs?: number } = {},
  ): Promise<SortieOutcome> =>
    runner.run([process.execPath, SORTIE, ...args], {
      env: makeEnv(options.env),
      cwd: options.cwd ?? project(),
      timeoutMs: options.timeoutMs ?? 60_000,
    });

  /** A command that is not waited for. */
  const start = (args: readonly string[], env?: Env) => {
    const child = spawn(process.execPath, [SORTIE, ...args], {
      env: makeEnv(env) as NodeJS.ProcessEnv,
      cwd: project(),
      stdio: "ignore",
    });
    const exitCode = new Promise<number | null>((resolve) => child.on("close", resolve));
    return { pid: child.pid as number, kill: (signal: NodeJS.Signals) => child.kill(signal), exitCode };
  };

  /** The document that a command prints with --json, and as `exit` its exit code, also as `exitCode` unless that is the run's. */
  const ask = async (args: readonly string[], options: Parameters<typeof run>[1] = {}): Promise<Document> => {
    const cut = args.includes("--") ? args.indexOf("--") : args.length;
    const outcome = await run([...args.slice(0, cut), "--json", ...args.slice(cut)], options);
    try {
      return { exitCode: outcome.exitCode, ...JSON.parse(outcome.stdout), exit: outcome.exitCode };
    } catch {
      throw new Error(`sortie ${args.join(" ")} printed no document: ${outcome.stdout}\n${outcome.stderr}`);
    }
  };

  /** Launches on this machine and answers with the run. */
  const launch = async (
    command: readonly string[],
    flags: readonly string[] = [],
    options: Parameters<typeof run>[1] = {},
  ) => {
    const document = await ask(
      ["run", "--target", "local", "--yes", "--detach", ...flags, "--", ...command],
      options,
    );
    if (!document.run) throw new Error(`nothing was launched: ${JSON.stringify(document)}`);
    return document.run as Document;
  };

  const show = async (id: string) => ask(["show", id]);
  /** Its document once it is in one of the states; a failure says what it is instead. */
  const waitForState = async (
    id: string,
    states: readonly string[],
    timeoutMs = 30_000,
  ): Promise<Document> => {
    let seen: Document;
    const look = async () => {
      seen = await show(id);
      return states.includes(seen.state) ? seen : null;
    };
    return waitFor(look, { timeoutMs, what: `${id} to be ${states.join(" or ")}` }).catch((fault) => {
      throw new Error(`${fault.message}: ${JSON.stringify(seen)}`);
    });
  };

  return { temp, runner, project, home, makeEnv, run, start, ask, launch, show, waitForState };
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
