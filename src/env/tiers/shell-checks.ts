import { quoteShell } from "../../base/quote.ts";
import { describeEnd } from "../witness/describe-end.ts";
import type { InsideOutcome } from "../witness/run-inside.ts";

/** A command of a spec's `smoke`. */
export interface ShellCheck {
  readonly cmd: string;
  /** A regular expression for what it prints, each line by itself for `^` and `$`; null: whatever it prints. */
  readonly expect: string | null;
}

/** One thing that was looked at and is not as it must be. */
export interface CheckFailure {
  /** As in `import torch`, or the command. */
  readonly what: string;
  readonly message: string;
}

/** Shell text of a job that runs each command in the entered environment, in a shell of its own. */
export function makeShellChecks(checks: readonly ShellCheck[]): string {
  const lines = checks.map(({ cmd }, index) => `sortie_check ${index} ${quoteShell(cmd)}`);
  return [
    "sortie_check() {",
    '  (eval "$2") </dev/null >"$sortie_place/parts/check-$1.out" 2>&1',
    '  printf %s $? >"$sortie_place/parts/check-$1.exit"',
    "}",
    ...lines,
  ].join("\n");
}

/** Those that did not exit with 0 or did not print what is expected; a lucky match does not make up for the code. */
export function findShellFailures(checks: readonly ShellCheck[], outcome: InsideOutcome): CheckFailure[] {
  return checks.flatMap(({ cmd, expect }, index) => {
    const output = outcome.parts[`check-${index}.out`];
    const exit = outcome.parts[`check-${index}.exit`];
    const message = findFault(expect, output, exit, outcome);
    return message === null ? [] : [{ what: cmd, message }];
  });
}

function findFault(
  expect: string | null,
  output: string | undefined,
  exit: string | undefined,
  outcome: InsideOutcome,
): string | null {
  if (output === undefined) return "it was not run";
  if (exit === undefined) return describeEnd({ ...outcome, stderr: output }) ?? "it ended the whole check";
  const last = output.trimEnd().split("\n").at(-1)?.trim() ?? "";
  if (exit !== "0") return `it ended with code ${exit}${last === "" ? "" : `: ${last}`}`;
  if (expect === null || new RegExp(expect, "m").test(output)) return null;
  return `its output does not match /${expect}/${last === "" ? ": it printed nothing" : `: ${last}`}`;
}

/** What the checks printed, for a diagnosis. */
export function joinChecks({ parts, stdout, stderr }: InsideOutcome): string {
  const outputs = Object.entries(parts).filter(([name]) => name.endsWith(".out"));
  return [stdout, stderr, ...outputs.map(([, text]) => text)].filter((text) => text !== "").join("\n");
}
