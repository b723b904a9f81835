import type { ScriptSites } from "./find-sites.ts";
import type { StartSite } from "./find-start.ts";
import { type Insertion, insertLines } from "./insert-lines.ts";
import type { LogSite } from "./log-loops.ts";
import { makeDiff } from "./make-diff.ts";
import { removeInstrumentation } from "./marks.ts";
import type { FoundMetric } from "./metric-names.ts";
import type { ScriptReading } from "./read-script.ts";
import { writeHelpers } from "./write-helpers.ts";

/** A script with W&B logging written in. */
export interface Instrumented {
  text: string;
  /** False where the script holds these very lines already. */
  isChanged: boolean;
  /** The metrics that it logs now, each with the expression that is read; null: from the machine, or a callback. */
  metrics: { key: string; text: string | null }[];
  /** Promised metrics that are not logged, as the script has nothing for them. */
  missing: string[];
  /** A unified diff from the script as it was given to the new one. */
  diff: string;
}

/** Why nothing is written; `line` counts from 1. */
export interface Refused {
  refused: string;
  line: number;
}

const LONG_CONFIG = 60;
const PROMISED = [
  "train/loss",
  "train/lr",
  "eval/loss",
  "eval/ppl",
  "eval/accuracy",
  "gpu/memory_used",
  "speed/samples_per_sec",
];

/**
 * Writes W&B logging into a script, from its reading. Only whole lines are added, each with the mark: nothing of the script
 * is changed, and `removeInstrumentation` takes them out again. A script that has Sortie's lines gets them anew.
 */
export function instrumentScript(
  text: string,
  reading: ScriptReading,
  file = "script.py",
): Instrumented | Refused {
  const { wandb, sites } = reading;
  if (wandb?.by === "name")
    return { refused: "something of its own is called `wandb`, as the package is", line: wandb.line };
  if (wandb) return { refused: `the script uses W&B already: \`${wandb.text}\``, line: wandb.line };
  if ("reason" in sites) return { refused: sites.reason, line: sites.line };
  const own = removeInstrumentation(text);
  const changed = insertLines(own, listInsertions(sites));
  const metrics = listMetrics(sites);
  return {
    text: changed,
    isChanged: changed !== text,
    metrics,
    missing: PROMISED.filter((key) => !metrics.some((metric) => metric.key === key)),
    diff: makeDiff(text, changed, file),
  };
}

function listInsertions(sites: ScriptSites): Insertion[] {
  const { helper, start, logs } = sites;
  return [
    { at: helper, lines: writeHelpers(sites) },
    ...listStart(start),
    ...logs.map((site) => ({ at: site.at, lines: writeLog(site) })),
    ...listEnd(start),
    ...listDecorator(start),
  ];
}

function listStart({ at, config, rank, isGuarded }: StartSite): Insertion[] {
  const call = writeStart(config, rank);
  const lines = isGuarded ? ['if __name__ == "__main__":', ...call.map((line) => `    ${line}`)] : call;
  return [{ at, lines }];
}

/** Constants stand on a line each. */
function writeStart(config: string, rank: string | null): string[] {
  const after = rank === null ? ")" : `, ${rank})`;
  if (!config.startsWith("{") || config.length < LONG_CONFIG) return [`_sortie_start(${config}${after}`];
  const entries = config.slice(1, -1).split(", ");
  return ["_sortie_start({", ...entries.map((entry) => `    ${entry},`), `}${after}`];
}

/** The finish comes last of all that is written after the same statement. */
function listEnd({ end }: StartSite): Insertion[] {
  return end && "finish" in end ? [{ at: end.finish, lines: ["_sortie_end()"] }] : [];
}

/** Nothing may stand between a decorator and its function. */
function listDecorator({ end }: StartSite): Insertion[] {
  return end && "decorate" in end ? [{ at: end.decorate, lines: ["@_sortie_finish"] }] : [];
}

function writeLog(site: LogSite): string[] {
  if (site.kind === "watch") return [`_sortie_watch(${site.object})`];
  const metrics = site.metrics.map(({ key, text }) => `    "${key}": lambda: ${text},`);
  if (site.kind === "eval") return ["_sortie_log({", ...metrics, "})"];
  return ["_sortie_step({", ...metrics, site.samples === null ? "})" : `}, lambda: ${site.samples})`];
}

/** Each name once. */
function listMetrics({ logs, hasTorch }: ScriptSites): Instrumented["metrics"] {
  const found = logs.flatMap((site) => site.metrics).flatMap(listParts);
  const fromMachine = hasTorch ? [{ key: "gpu/memory_used", text: null }] : [];
  const speed = logs.flatMap((site) =>
    site.kind !== "eval" && site.samples !== null
      ? [{ key: "speed/samples_per_sec", text: site.samples }]
      : [],
  );
  const all = [...found, ...speed, ...fromMachine];
  return all.filter(({ key }, index) => all.findIndex((other) => other.key === key) === index);
}

function listParts({ key, text, parts }: FoundMetric): Instrumented["metrics"] {
  return parts ? parts.map((part) => ({ key: part, text })) : [{ key, text }];
}
