import { makePrintable } from "../../base/printable.ts";
import type { CheckFailure } from "./shell-checks.ts";

/** What one try of a tier has shown. */
export interface TierResult {
  /** `taken`: another run holds the card, so that nothing was shown. */
  readonly state: "passed" | "failed" | "taken";
  /** One line: what was shown, or why not. */
  readonly message: string;
  readonly failures: readonly CheckFailure[];
  /** Of tier 2: what computed, as in `torch 2.4.0`; null: the spec's own tests, or nothing. */
  readonly library: string | null;
  /** Of tier 2: the CUDA that the library uses. */
  readonly cuda: string | null;
  /** The end of what was printed, to be diagnosed. */
  readonly output: string;
  /** Of a witness: how it ended, 128 and more by a signal; null: several commands ended. */
  readonly exitCode: number | null;
}

const LONGEST_MESSAGE = 400;

/** The result of checks whose failures are known; `shown` is what they show if there are none. */
export function makeResult(failures: readonly CheckFailure[], shown: string, output: string): TierResult {
  const passed = failures.length === 0;
  const message = failures.map(({ what, message: why }) => `${what}: ${why}`).join("; ");
  return {
    ...{ state: passed ? "passed" : "failed", message: makeLine(passed ? shown : message) },
    ...{ failures, library: null, cuda: null, output, exitCode: null },
  };
}

/** One printable line that fits into a record. */
export function makeLine(text: string): string {
  const line = makePrintable(text.replaceAll(/\s+/g, " ").trim());
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE - 1)}…`;
}
