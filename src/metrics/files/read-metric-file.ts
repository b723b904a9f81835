import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { formatBytes } from "../../base/bytes.ts";
import { describeFault } from "../../base/error.ts";
import type { MetricFile } from "./metric-file.ts";
import { readCsvMetrics } from "./read-csv.ts";
import { readEvents } from "./read-events.ts";
import { readJsonLines, readJsonMetrics } from "./read-json.ts";
import { readWandbRun } from "./read-wandb.ts";

type Reader = (bytes: Buffer) => MetricFile;

/** By what name a file of metrics is known; the first row holds. */
const KINDS: readonly { names: RegExp; read: Reader }[] = [
  { names: /^run-.+\.wandb$/, read: readWandbRun },
  { names: /\.tfevents\./, read: readEvents },
  {
    names: /^(?:wandb-history|(?:.+[_-])?metrics|(?:.+[_-])?log|history|results)\.jsonl$/,
    read: (bytes) => readJsonLines(bytes.toString()),
  },
  {
    names:
      /^(?:wandb-summary|(?:.+[_-])?metrics|history|results|(?:all|train|eval|test|predict)_results|trainer_state)\.json$/,
    read: (bytes) => readJsonMetrics(bytes.toString()),
  },
  {
    names: /^(?:(?:.+[_-])?metrics|(?:.+[_-])?log|history|results|progress)\.csv$/,
    read: (bytes) => readCsvMetrics(bytes.toString()),
  },
];

/** A larger file is not read: it would be held in memory whole. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Whether a file's name says that it holds metrics: `metrics.json`, `events.out.tfevents.*`, `run-*.wandb` and others. */
export function isMetricFile(path: string): boolean {
  return findKind(path) !== undefined;
}

/** The points of a file of metrics. What cannot be read, for any reason, is told in `problems`; never fails. */
export async function readMetricFile(path: string): Promise<MetricFile> {
  const kind = findKind(path);
  if (kind === undefined)
    return { points: [], problems: ["its name tells no kind of metrics that is known"] };
  try {
    const found = await stat(path);
    // A pipe of that name would never end.
    if (!found.isFile()) return { points: [], problems: ["it is no ordinary file"] };
    const { size } = found;
    if (size > MOST_BYTES) return { points: [], problems: [`it is too large (${formatBytes(size)})`] };
    return kind.read(await readFile(path));
  } catch (fault) {
    return { points: [], problems: [describeFault(fault)] };
  }
}

function findKind(path: string) {
  const name = basename(path);
  return KINDS.find(({ names }) => names.test(name));
}
