import { countOf } from "../../base/count-of.ts";
import { quoteShell } from "../../base/quote.ts";
import { isOrAbsent, isOrNull, isShape, isText, parseJson } from "../../base/shape.ts";
import type { EnvHost } from "../env-host.ts";
import type { EnvSpec, WeightDir } from "../spec/env-spec.ts";
import { describeEnd } from "../witness/describe-end.ts";
import { type Inside, type InsideOutcome, runInside } from "../witness/run-inside.ts";
import program from "./check_imports.py";
import { type CheckFailure, findShellFailures, joinChecks, makeShellChecks } from "./shell-checks.ts";
import { makeResult, type TierResult } from "./tier-result.ts";

export interface ImportsRequest extends Inside {
  readonly spec: EnvSpec;
  /** For all of it; default 300, since the first import of a large library reads gigabytes. */
  readonly timeoutS?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface ReportLine {
  readonly began?: string;
  readonly what?: string;
  readonly fault?: string | null;
}

const TIMEOUT_S = 300;
const REPORT = '"$sortie_place/parts/report"';
const isReportLine = isShape<ReportLine>({
  began: isOrAbsent(isText),
  what: isOrAbsent(isText),
  fault: isOrAbsent(isOrNull(isText)),
});

/**
 * Tier 1: each module is imported by the environment's Python, each `cli_checks` command does what it must, and the
 * weights are there, whole and readable. @throws as `runInside`
 */
export async function checkImports(host: EnvHost, request: ImportsRequest): Promise<TierResult> {
  const { smoke, weightDirs } = request.spec;
  const asked = {
    imports: smoke.importNames,
    weights: weightDirs.map(({ path, env }) => ({ path, env })),
  };
  const outcome = await runInside(host, request, {
    text: [
      `"$sortie_python" "$sortie_place/programs/check_imports.py" ${quoteShell(JSON.stringify(asked))} ${REPORT}`,
      'printf %s $? >"$sortie_place/parts/python.exit"',
      makeShellChecks(smoke.cliChecks),
      "exit 0",
    ].join("\n"),
    programs: { "check_imports.py": program },
    runsIn: "project",
    ...{ timeoutS: request.timeoutS ?? TIMEOUT_S, signal: request.signal },
  });
  const failures = [
    ...findEarlyFailure(outcome),
    ...(outcome.stage === "run" ? findReportFailures(request.spec, outcome) : []),
    ...(outcome.stage === "run" ? findShellFailures(smoke.cliChecks, outcome) : []),
  ];
  return makeResult(failures, describeSpec(request.spec), joinChecks(outcome));
}

/** The environment could not be entered, or all of it took too long. */
function findEarlyFailure(outcome: InsideOutcome): CheckFailure[] {
  const message = describeEnd(outcome);
  return message === null || outcome.stage === "run" ? [] : [{ what: "environment", message }];
}

function findReportFailures({ smoke, weightDirs }: EnvSpec, outcome: InsideOutcome): CheckFailure[] {
  const lines = (outcome.parts["report"] ?? "").split("\n").map((line) => parseJson(line, isReportLine));
  const faults = new Map(
    lines.flatMap((line) => (line?.what ? [[line.what, line.fault ?? null] as const] : [])),
  );
  const begun = lines.flatMap((line) => line?.began ?? []).at(-1);
  const wanted = [
    ...smoke.importNames.map((name) => ({ what: `import ${name}`, added: "" })),
    ...weightDirs.map((weights) => ({ what: `weights ${weights.path}`, added: describeSource(weights) })),
  ];
  return wanted.flatMap(({ what, added }) => {
    const fault = faults.has(what) ? faults.get(what) : describeStop(what === begun, outcome);
    return fault === null || fault === undefined ? [] : [{ what, message: fault + added }];
  });
}

/** Why the report does not tell of it. */
function describeStop(isBegun: boolean, outcome: InsideOutcome): string {
  if (outcome.state !== "ended") return isBegun ? "it did not end in time" : "it was not looked at";
  const exit = Number(outcome.parts["python.exit"] ?? outcome.exitCode);
  if (!isBegun) return `it was not looked at: Python ended with code ${exit} before`;
  return exit > 128 ? `signal ${exit - 128} ended Python` : `it ended Python with code ${exit}`;
}

function describeSource({ source, gated }: WeightDir): string {
  if (source === null) return "";
  return gated ? ` (from ${source}, which must grant access first)` : ` (from ${source})`;
}

function describeSpec({ smoke, weightDirs }: EnvSpec): string {
  const parts = [
    ...(smoke.importNames.length > 0 ? [`imports ${smoke.importNames.join(", ")}`] : []),
    ...(smoke.cliChecks.length > 0 ? [`passes ${countOf(smoke.cliChecks.length, "command")}`] : []),
    ...(weightDirs.length > 0 ? [`has its weights in ${countOf(weightDirs.length, "place")}`] : []),
  ];
  return parts.length === 0
    ? "it can be entered; its spec names nothing to import"
    : `it ${parts.join(", ")}`;
}
