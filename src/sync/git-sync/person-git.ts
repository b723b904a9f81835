import { quoteShell } from "../../base/quote.ts";
import type { Outcome, Runner } from "../../process/runner.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What a caller that is a git hook hands down: it names another repository, or a half-made index. */
const OF_ANOTHER_REPOSITORY =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|QUARANTINE_PATH|REFLOG_ACTION)$/;

export interface PersonGitOptions {
  readonly env: Env;
  readonly signal?: AbortSignal;
}

export interface PersonGitCall {
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** Git as the person has it: their identity, settings and hooks, in English, without a question to anybody. */
export interface PersonGit {
  run(args: readonly string[], call: PersonGitCall): Promise<Outcome>;
  /** The same for a command that talks to a remote: ssh asks for no password there. */
  reach(args: readonly string[], call: PersonGitCall): Promise<Outcome>;
}

export function makePersonGit(runner: Runner, { env, signal }: PersonGitOptions): PersonGit {
  const kept = Object.entries(env).filter(([name]) => !OF_ANOTHER_REPOSITORY.test(name));
  const base = {
    ...Object.fromEntries(kept),
    LC_ALL: "C.UTF-8",
    GIT_TERMINAL_PROMPT: "0",
    // An askpass program that the person chose may know the answer; ssh's would open a window.
    GIT_ASKPASS: env["GIT_ASKPASS"] ?? "",
  };
  const runWith = (more: Env, args: readonly string[], call: PersonGitCall) =>
    runner.run(["git", ...args], { ...call, env: { ...base, ...more }, signal });

  return {
    run: (args, call) => runWith({}, args, call),
    async reach(args, call) {
      const configured = await runWith({}, ["config", "--get", "core.sshCommand"], call);
      const command = makeSilentSsh(env, configured.stdout.trim());
      return runWith(command === null ? {} : { GIT_SSH_COMMAND: command }, args, call);
    },
  };
}

/** The ssh command that git would use, told to ask nothing; null for a program that is not OpenSSH's. */
export function makeSilentSsh(env: Env, configured: string): string | null {
  const program = env["GIT_SSH"] ? quoteShell(env["GIT_SSH"]) : "ssh";
  const command = env["GIT_SSH_COMMAND"] || configured || program;
  return /^(?:'[^']*\/ssh'|"[^"]*\/ssh"|(?:\S*\/)?ssh)(?:\s|$)/.test(command)
    ? `${command} -o BatchMode=yes`
    : null;
}

const MOST_CHARACTERS = 500;

/** Why git or a hook refused, in its own words, in one line, without what a URL in it may give away. */
export function explainRefusal({ stdout, stderr, ...outcome }: Outcome): string {
  if (outcome.notStarted) return stderr.includes("ENOENT") ? "git is not installed" : stderr;
  if (outcome.timedOut) return "it took too long";
  const lines = `${stderr}\n${stdout}`.split(/[\r\n]+/).map((line) => line.trim());
  const told = lines.filter((line) => line !== "" && !/^(hint:|To |Done$|remote:\s*$)/.test(line));
  const words = told.map((line) => line.replace(/^(fatal|error|remote):\s*/, "")).join("; ");
  const shown = words.replace(/(\w:\/\/)[^\s'"]*@/g, "$1").slice(0, MOST_CHARACTERS);
  return shown.replace(/\.$/, "") || `git ended with ${outcome.signal ?? `code ${outcome.exitCode}`}`;
}
