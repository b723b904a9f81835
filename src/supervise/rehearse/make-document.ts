import { makePrintable } from "../../base/printable.ts";
import type { Percentiles } from "../../tunnel/agent-report.ts";
import type { Check } from "./check-row.ts";
import type { Exchange } from "./evidence.ts";
import { makePercentiles } from "./percentiles.ts";
import type { Rehearsal } from "./rehearse.ts";

/** A rehearsal in the shape that `--json` prints and that people are shown. Absent is null. */
export interface RehearsalDocument {
  readonly passed: boolean;
  readonly agents: number;
  readonly board: string;
  readonly payload: string;
  readonly tookMs: number;
  readonly counts: Readonly<Record<"passed" | "failed" | "soft" | "skipped", number>>;
  readonly checks: readonly Check[];
  readonly latency: Latency;
  readonly processes: readonly ProcessLine[];
}

/** Milliseconds from observation to answer, as a simulator has them; cuts left out. */
export interface Latency {
  readonly observations: number;
  readonly answers: number;
  readonly firstMs: number | null;
  /** Of all but the first of each agent. */
  readonly percentiles: Percentiles | null;
}

interface ProcessLine {
  readonly number: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly logTail: readonly string[];
}

export function makeRehearsalDocument({ passed, checks, evidence, tookMs }: Rehearsal): RehearsalDocument {
  const { terms, exchanges, processes } = evidence;
  const { agents, board, payload } = terms;
  return {
    ...{ passed, agents, board, payload, tookMs: Math.round(tookMs), counts: countChecks(checks) },
    checks: checks.map((check) => ({ ...check, detail: makePrintable(check.detail) })),
    latency: describeLatency(exchanges),
    processes: processes.map(({ number, exitCode, signal, logTail }) => ({
      ...{ number, exitCode, signal, logTail: logTail.map(makePrintable) },
    })),
  };
}

function countChecks(checks: readonly Check[]): RehearsalDocument["counts"] {
  const count = (isIt: (check: Check) => boolean) => checks.filter(isIt).length;
  return {
    passed: count(({ ok }) => ok === true),
    failed: count(({ ok, level }) => ok === false && level === "hard"),
    soft: count(({ ok, level }) => ok === false && level === "soft"),
    skipped: count(({ ok }) => ok === null),
  };
}

function describeLatency(exchanges: readonly Exchange[]): Latency {
  const answered = exchanges.filter(({ outcome }) => outcome === "answered");
  const timed = answered.filter(({ wasCut }) => !wasCut);
  const listTimes = (some: readonly Exchange[]) => some.flatMap(({ latencyMs }) => latencyMs ?? []);
  const first = listTimes(timed.filter(({ isFirst }) => isFirst));
  return {
    observations: exchanges.length,
    answers: answered.length,
    firstMs: first.length === 0 ? null : round(Math.max(...first)),
    percentiles: roundAll(makePercentiles(listTimes(timed.filter(({ isFirst }) => !isFirst)))),
  };
}

function roundAll(percentiles: Percentiles | undefined): Percentiles | null {
  if (percentiles === undefined) return null;
  const { p50, p95, p99, max } = percentiles;
  return { p50: round(p50), p95: round(p95), p99: round(p99), max: round(max) };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
