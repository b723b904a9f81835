import { type EntryPoint, findEntry } from "./entry-point.ts";
import { findArguments } from "./find-arguments.ts";
import { findEvaluations, type MetricSite } from "./find-evaluation.ts";
import { type Framework, findLoopFramework, nameFramework } from "./find-framework.ts";
import { findSites, type ScriptSites } from "./find-sites.ts";
import { findTrainingLoops } from "./find-training.ts";
import { findWandb, type WandbUse } from "./find-wandb.ts";
import { removeInstrumentation } from "./marks.ts";
import type { Obstacle } from "./obstacles.ts";
import { lineOf, type PythonNode, parsePython } from "./python-tree.ts";
import type { ScriptArguments } from "./script-arguments.ts";
import { outlineScript } from "./script-outline.ts";
import {
  findFormatProblem,
  findMarkProblem,
  findSyntaxProblem,
  type ScriptProblem,
} from "./script-problem.ts";
import type { TrainingLoop } from "./training-loop.ts";

/** What is found in a training script. Lines count from 1; names are as they stand in the script. */
export interface ScriptReading {
  /** Why it cannot be read; then nothing else is known. */
  problem: ScriptProblem | null;
  /** What of it logs to W&B already, other than by Sortie. */
  wandb: WandbUse | null;
  /** Whether Sortie's own lines are in it: everything else is said of the script without them. */
  isInstrumented: boolean;
  framework: Framework;
  arguments: { text: string; kind: ScriptArguments["kind"]; line: number } | null;
  entry: EntryPoint | null;
  /** The loops of its own; a framework's loop is not in it. */
  loops: { line: number; kind: "for" | "while"; function: string | null }[];
  /** Lines after which an evaluation has its numbers. */
  evaluations: { line: number; function: string | null; names: string[] }[];
  names: { losses: string[]; rate: string | null; batchSize: string | null; evaluation: string[] };
  /** Where logging can be written in, or why it cannot. */
  sites: ScriptSites | Obstacle;
}

/**
 * Reads a script's text: what it trains with, where its loop and its evaluation are, what its numbers are called. Nothing
 * is run. Any text has a reading; `problem` or `sites` say why one cannot be instrumented.
 */
export async function readScript(text: string): Promise<ScriptReading> {
  const own = removeInstrumentation(text);
  const isInstrumented = own !== text;
  const isParsed = isInstrumented && findFormatProblem(text) === null;
  const inString = isParsed ? await parsePython(text, (root) => findMarkProblem(root, text)) : null;
  const problem = findFormatProblem(own) ?? inString;
  if (problem) return { ...makeEmpty(problem), isInstrumented };
  return await parsePython(own, (root) => ({ ...readTree(root, own), isInstrumented }));
}

function readTree(root: PythonNode, text: string): ScriptReading {
  const problem = findSyntaxProblem(root);
  if (problem) return makeEmpty(problem);
  const outline = outlineScript(root);
  const args = findArguments(outline);
  const loopFramework = findLoopFramework(root);
  const framework = nameFramework(loopFramework, args);
  const loops = findTrainingLoops(outline);
  const evaluations = findEvaluations(outline, loops);
  const lines = text.split("\n");
  const sites = findSites({ outline, args, loops, evaluations, lines }, loopFramework);
  return {
    problem: null,
    wandb: findWandb(root),
    isInstrumented: false,
    framework,
    arguments: args && { text: args.text, kind: args.kind, line: args.line },
    entry: findEntry(
      outline,
      loops.map(({ scope }) => scope),
    ),
    loops: loops.map(describeLoop),
    evaluations: evaluations.map(describeEvaluation),
    names: collectNames(loops, evaluations, sites),
    sites,
  };
}

function makeEmpty(problem: ScriptProblem): ScriptReading {
  return {
    problem,
    wandb: null,
    isInstrumented: false,
    framework: "plain",
    arguments: null,
    entry: null,
    loops: [],
    evaluations: [],
    names: { losses: [], rate: null, batchSize: null, evaluation: [] },
    sites: { line: problem.line, reason: problem.reason },
  };
}

function describeLoop({ loop, scope }: TrainingLoop): ScriptReading["loops"][number] {
  return {
    line: lineOf(loop),
    kind: loop.type === "for_statement" ? "for" : "while",
    function: scope.name || null,
  };
}

function describeEvaluation({ after, scope, metrics }: MetricSite): ScriptReading["evaluations"][number] {
  return {
    line: after.endPosition.row + 1,
    function: scope.name || null,
    names: metrics.map(({ text }) => text),
  };
}

function collectNames(
  loops: TrainingLoop[],
  evaluations: MetricSite[],
  sites: ScriptSites | Obstacle,
): ScriptReading["names"] {
  const trained = "logs" in sites ? sites.logs.filter((site) => site.kind === "train") : [];
  const rates = trained.flatMap(({ metrics }) => metrics.filter(({ key }) => key === "train/lr"));
  const evaluated = evaluations.flatMap(({ metrics }) =>
    metrics.filter(({ key }) => key.startsWith("eval/")),
  );
  return {
    losses: loops.flatMap(({ losses }) => losses.map(({ text }) => text)),
    rate: rates[0]?.text ?? null,
    batchSize: trained.find(({ samples }) => samples !== null)?.samples ?? null,
    evaluation: [...new Set(evaluated.map(({ text }) => text))],
  };
}
