import { quoteCommand } from "../base/quote.ts";
import { makeSettings, readAnswer } from "../base/script.ts";
import observe from "./scripts/observe.sh";
import processFunctions from "./scripts/process.sh";
import watchStart from "./scripts/watch-start.sh";

/** The host's own words about itself, at the moment of the answer. */
export interface HostFacts {
  readonly host: string;
  readonly boot: string;
  readonly pidNamespace: string;
  /** Start time of process 1, in the form of `pid`'s start times. */
  readonly initStart: string;
  /** Seconds since the host was started. */
  readonly uptimeS: number;
  readonly now: string;
}

/** What the job folder of one run and its processes say. A record is its `key=value` lines. */
export interface Observation {
  readonly attempt: number;
  readonly folderThere: boolean;
  readonly pid: Readonly<Record<string, string>> | null;
  readonly stop: Readonly<Record<string, string>> | null;
  readonly exit: Readonly<Record<string, string>> | null;
  /** Somebody settled that the run never starts. */
  readonly closed: boolean;
  readonly supervisorAlive: boolean;
  readonly commandAlive: boolean;
  /** Living processes that carry the run's id; asked for unless its command or, after its exit, its supervisor lives. */
  readonly carriers: readonly number[];
  readonly diskFreeKib: number | null;
  readonly logBytes: number | null;
  /** When its supervisor took the last sample; null: none yet. */
  readonly sampledAt: string | null;
}

export interface HostAnswer {
  readonly facts: HostFacts;
  readonly runs: ReadonlyMap<string, Observation>;
}

/** One question for all runs of a host; it goes to `sh -s` by stdin. */
export function makeObserveScript(runs: readonly { id: string; jobFolder: string }[], token: string): string {
  const calls = runs.map((run) => quoteCommand(["observe", run.id, run.jobFolder]));
  return [
    makeSettings({ sortie_token: token }),
    processFunctions,
    observe,
    ...calls,
    'echo "end=$sortie_token"\n',
  ].join("\n");
}

/** The same question about a run that was just started, put when its command is on record and has lived so long, or is over. */
export function makeWatchStartScript(
  { id, jobFolder, attempt }: { id: string; jobFolder: string; attempt: number },
  { watchMs, token }: { watchMs: number; token: string },
): string {
  const settings = makeSettings({
    sortie_job_dir: jobFolder,
    sortie_attempt: String(attempt),
    sortie_watch_cs: String(Math.ceil(watchMs / 10)),
  });
  const watch = [settings, processFunctions, watchStart, "watch_start"].join("\n");
  return `${watch}\n${makeObserveScript([{ id, jobFolder }], token)}`;
}

/** null when the answer is not whole. */
export function parseObserveAnswer(stdout: string, token: string): HostAnswer | null {
  const lines = readAnswer(stdout, token);
  if (!lines) return null;
  const runs = new Map<string, Observation>();
  const head: Record<string, string> = {};
  let current: Record<string, string> | null = null;
  for (const [key, value] of lines) {
    if (key === "run") current = {};
    else if (key === "end" && current) {
      runs.set(value, readObservation(current));
      current = null;
    } else (current ?? head)[key] = value;
  }
  return { facts: readFacts(head), runs };
}

function readFacts(head: Record<string, string>): HostFacts {
  return {
    host: head["host"] ?? "",
    boot: head["boot"] ?? "",
    pidNamespace: head["pid_namespace"] ?? "",
    initStart: head["init_start"] ?? "",
    uptimeS: Number(head["uptime"] ?? 0),
    now: head["now"] ?? "",
  };
}

function readObservation(values: Record<string, string>): Observation {
  return {
    attempt: Number(values["attempt"] ?? 1),
    folderThere: values["folder"] === "there",
    pid: readRecord(values, "pid"),
    stop: readRecord(values, "stop"),
    exit: readRecord(values, "exit"),
    closed: values["closed"] === "yes",
    supervisorAlive: values["supervisor_alive"] === "yes",
    commandAlive: values["command_alive"] === "yes",
    carriers: (values["carriers"] ?? "").split(" ").filter(Boolean).map(Number),
    diskFreeKib: values["disk_free_kib"] ? Number(values["disk_free_kib"]) : null,
    logBytes: values["log_bytes"] ? Number(values["log_bytes"]) : null,
    sampledAt: Number.isNaN(Date.parse(values["sampled_at"] ?? "")) ? null : (values["sampled_at"] ?? null),
  };
}

function readRecord(values: Record<string, string>, name: string): Record<string, string> | null {
  if (values[name] !== "there") return null;
  const prefix = `${name}.`;
  const entries = Object.entries(values).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(prefix.length), value]));
}
