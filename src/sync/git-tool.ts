import { performance } from "node:perf_hooks";
import { SortieError } from "../base/error.ts";
import type { Outcome, Runner } from "../process/runner.ts";

/** All git commands of one recording together; a home folder kept in git must not hold up a launch for ever. */
const TIME_LIMIT_MS = 120_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Settings of the user that would run programs, write into the repository, or change what git prints. */
const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.splitIndex=false",
  "core.quotePath=true",
  "core.safecrlf=false",
  "core.fsyncMethod=batch",
  "submodule.recurse=false",
  "gc.auto=0",
].flatMap((setting) => ["-c", setting]);

export interface GitCall {
  readonly cwd: string;
  readonly stdin?: string | Uint8Array;
  /** Beside the environment of the caller: which index, objects and work tree this call is about. */
  readonly env?: Readonly<Record<string, string>>;
  /** Told each part of what git prints, as the bytes that it is. */
  readonly onStdout?: (part: Buffer) => void;
}

/** Git with the settings above, English messages and no lock in the repository. */
export interface Git {
  /** What git printed. @throws git_failed */
  read(args: readonly string[], call: GitCall): Promise<string>;
  /** How git ended, whatever it was. */
  ask(args: readonly string[], call: GitCall): Promise<Outcome>;
}

/** @param objectsDir where Git LFS, which keeps big files beside git's objects, writes too: not in the repository */
export function makeGit(
  runner: Runner,
  env: Readonly<Record<string, string | undefined>>,
  objectsDir?: string,
): Git {
  const base = makeGitEnvironment(env);
  const settings = objectsDir === undefined ? SETTINGS : [...SETTINGS, "-c", `lfs.storage=${objectsDir}/lfs`];
  const endsAtMs = performance.now() + TIME_LIMIT_MS;

  const ask: Git["ask"] = (args, { cwd, stdin, env: more, onStdout }) =>
    runner.run(["git", ...settings, ...args], {
      cwd,
      stdin,
      onStdout,
      env: { ...base, ...more },
      timeoutMs: Math.max(1, endsAtMs - performance.now()),
      maxBytes: MAX_BYTES,
    });

  const read: Git["read"] = async (args, call) => {
    const outcome = await ask(args, call);
    const reason = findGitFault(outcome);
    if (reason !== null) throw new SortieError("git_failed", { command: args[0], reason, folder: call.cwd });
    return outcome.stdout;
  };
  return { ask, read };
}

/** Why a git command gave no answer that can be used; null when it did. */
export function findGitFault(outcome: Outcome): string | null {
  if (outcome.notStarted) return "git is not installed";
  if (outcome.timedOut) return `it took longer than ${TIME_LIMIT_MS / 1000} s`;
  if (outcome.stderr.includes("dubious ownership")) {
    return "the repository belongs to another user (`git help config` explains safe.directory)";
  }
  if (outcome.exitCode !== 0) return findFirstComplaint(outcome.stderr) ?? `exit code ${outcome.exitCode}`;
  if (outcome.stdout.length >= MAX_BYTES) return "its answer is too long";
  return null;
}

/** Where new objects go, and where further ones are read. Given alone, `own` is all that git sees. */
export function makeObjectPlaces(own: string, ...others: string[]): Record<string, string> {
  const alternates = others.map(quotePlace).join(":");
  return { GIT_OBJECT_DIRECTORY: own, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates };
}

/** A list of places is split at colons, so each is quoted as git reads it. */
function quotePlace(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

/** The caller may be a git hook: its GIT_DIR and the like name another repository, or a half-made index. */
function makeGitEnvironment(env: Readonly<Record<string, string | undefined>>) {
  const kept = Object.entries(env).filter(
    ([name]) => !name.startsWith("GIT_") || /^GIT_(CONFIG|CEILING|DISCOVERY|EXEC_PATH)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C.UTF-8",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
  };
}

function findFirstComplaint(stderr: string): string | undefined {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((text) => /^(fatal|error):/.test(text)) ?? lines[0];
  return line?.replace(/^(fatal|error): /, "").replace(/\.$/, "");
}
