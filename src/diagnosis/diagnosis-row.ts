/**
 * Where the cause of an end lies: whom it is about, or what has to be changed. Of an environment:
 * - `spec`: what it is said to be: a pin, a package that is missing, a variable;
 * - `build`: how it is made: compilers, its folder, the place that packages come from;
 * - `weights`: files of weights that are absent, cut or closed;
 * - `resolution`: what is found under a name: versions that do not go together, libraries, symbols;
 * - `document`: what is written about it is not what is there;
 * - `driver`: the host's own part of CUDA.
 */
export type Layer =
  | "spec"
  | "build"
  | "weights"
  | "resolution"
  | "document"
  | "driver"
  | "command"
  | "program"
  | "environment"
  | "gpu"
  | "memory"
  | "disk"
  | "network"
  | "host"
  | "person"
  | "sortie";

/** The closed list of end reasons of a run. */
export type EndReason =
  | "exited"
  | "signal"
  | "oom"
  | "time_limit"
  | "disk_full"
  | "host_restarted"
  | "container_restarted"
  | "supervisor_killed"
  | "never_started"
  | "gpu_taken"
  | "launch_failed"
  | "stopped"
  | "hang_up"
  | "unknown";

/**
 * What came to its end: a run; or a step in the life of an environment: it was built, its packages were imported
 * (`tier 1`), its witness computed, its documented command was followed.
 */
export type Stage = "run" | "build" | "tier 1" | "witness" | "document";

/** Those in which programs run in an environment that is there. */
export const INSIDE: readonly Stage[] = ["run", "tier 1", "witness", "document"];

export const EVERYWHERE: readonly Stage[] = ["build", ...INSIDE];

/** Those of an environment itself: what is said there names no run. */
export const ENVIRONMENT: readonly Stage[] = EVERYWHERE.filter((stage) => stage !== "run");

/**
 * Which part of the log a pattern is held against, line by line:
 * - `end`: the Python exception that ended the program, with those it was raised from; without one, the last line
 *   and what is indented below it.
 *   An error that was caught, logged and survived is not there.
 * - `exception`: the same where a few more lines follow the exception: for those whose message is long.
 * - `closing`: the last ten lines, without what launchers and W&B say at the end.
 * What a step of an environment printed is about that step alone: there each part is all of its last lines.
 */
export type LogPart = "end" | "exception" | "closing";

/** A line that must be there; with `beside`, another one as well. */
export interface LogSign {
  readonly in: LogPart;
  readonly line: RegExp;
  readonly beside?: RegExp;
}

/** What must hold, all of it, for a row to be the answer. */
export interface Condition {
  /** Default: a run. */
  readonly stages?: readonly Stage[];
  /** Default: `exited` and `signal`, the ends that a program makes itself. */
  readonly reasons?: readonly EndReason[];
  readonly exitCodes?: readonly number[];
  /** Without SIG: `KILL`, `SEGV`. */
  readonly signals?: readonly string[];
  readonly log?: LogSign;
  /** The kernel says that it killed a process of this run, or signal KILL ended it and its cgroup counted one. */
  readonly oomKill?: true;
  /** It stood in line for a GPU, and the time for that is over. */
  readonly hasWaited?: true;
  /** Who asked for the stop. */
  readonly stoppedBy?: string;
}

/** One row of the table: a symptom and what it means. `{name}` stands for a fact or a named group of the pattern. */
export interface DiagnosisRow {
  readonly code: string;
  readonly layer: Layer;
  readonly when: Condition;
  readonly cause: string;
  /** Said where the row has no log line to show; left out when a fact in it is not known. */
  readonly evidence?: string;
  readonly next: string;
  /** The end reason that this symptom proves, where it says more than `exited` or `signal`. */
  readonly proves?: EndReason;
}

/** Keeps a table's rows in the order in which they are tried. */
export function defineRows(rows: readonly DiagnosisRow[]): readonly DiagnosisRow[] {
  return rows;
}
