/** What is told to a person. All of it is data for `JSON.stringify`, since it waits in the outbox. */
export type Notice =
  | ExperimentsLaunched
  | ExperimentsEnded
  | ErrorNotice
  | CheckpointNotice
  | ProgressNotice
  | TestNotice;

interface NoticeBase {
  /** What it is about: the id of a run, plan, fleet or job. */
  readonly subject: string;
  /** Which of the moments of that subject; with kind and subject it makes the notice unique. */
  readonly phase: string;
  /** When it happened, ISO 8601. */
  readonly at: string;
}

/** Told once the launch is verified. */
export interface ExperimentsLaunched extends NoticeBase {
  readonly kind: "experiment_done";
  readonly phase: "launched";
  readonly experiments: readonly LaunchedExperiment[];
}

export interface LaunchedExperiment {
  readonly id: string;
  readonly name: string;
  readonly target: string;
  /** Each GPU in words: `GPU 0 (A100-SXM4-80GB)`; empty: it runs without one. */
  readonly gpus: readonly string[];
  /** null: unknown. */
  readonly expectedSeconds: number | null;
}

export interface ExperimentsEnded extends NoticeBase {
  readonly kind: "experiment_done";
  readonly phase: "ended";
  readonly results: readonly ExperimentResult[];
  /** The experiment that the deltas are to. */
  readonly baseline: string | null;
  readonly costUsd: number | null;
}

export interface ExperimentResult {
  readonly name: string;
  /** The run's state: `succeeded`, `failed`, `stopped`, `lost`. */
  readonly status: string;
  /** What it measured, the most telling first; absent: nothing that is known. */
  readonly metrics?: readonly MeasuredMetric[];
  readonly seconds: number | null;
  /** Why it ended so, its files: told below it. */
  readonly lines?: readonly string[];
}

export interface MeasuredMetric {
  readonly metric: string;
  /** The last one; null: it is NaN or infinite. */
  readonly value: number | null;
  /** What it is more than the baseline's; null: nothing to compare with. */
  readonly delta: number | null;
}

export interface ErrorNotice extends NoticeBase {
  readonly kind: "error";
  /** What failed, in a few words: it is the title. */
  readonly what: string;
  readonly message: string;
  /** The end of the log, what to do next. */
  readonly lines: readonly string[];
}

export interface CheckpointNotice extends NoticeBase {
  readonly kind: "checkpoint";
  readonly question: string;
  readonly options: readonly string[];
  readonly lines: readonly string[];
}

/** A fleet's or a job's new state. */
export interface ProgressNotice extends NoticeBase {
  readonly kind: "fleet" | "job";
  readonly title: string;
  readonly isBad: boolean;
  readonly lines: readonly string[];
}

export interface TestNotice extends NoticeBase {
  readonly kind: "test";
}

/** Several notices of one kind and phase that go out as one. */
export interface Digest {
  readonly kind: "digest";
  readonly notices: readonly Notice[];
}

/** The text that a unique index holds: the same event of the same subject is never told twice. */
export function makeNoticeKey({ subject, kind, phase }: Notice): string {
  return `${subject}/${kind}/${phase}`;
}
