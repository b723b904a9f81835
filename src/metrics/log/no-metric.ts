import { isBreak, isDigit, isSpace } from "./characters.ts";
import { hasMetricWord } from "./metric-words.ts";

/** A name and a number that could be a metric: how they stand in the line. */
export interface Candidate {
  readonly name: string;
  /** What stands between them: `:`, `=`, a space, or the bar of a table. */
  readonly separator: ":" | "=" | " " | "|";
  /** Nothing else stands between them. */
  readonly isGlued: boolean;
  readonly isWhole: boolean;
  /** The character before the name and the one after the number; empty at the line's ends. */
  readonly before: string;
  readonly after: string;
  /** The word after the number, where a space comes first. */
  readonly unit: string;
}

/** A reason why a number beside a name is no metric, with lines in which nothing is one for that reason. */
export interface NoMetricRule {
  readonly what: string;
  readonly examples: readonly string[];
  readonly refuses: (candidate: Candidate) => boolean;
}

const EXCLAMATION = 33;
const PERCENT = 37;
const STAR = 42;
const COMMA = 44;
const DOT = 46;
const COLON = 58;

const SETTINGS =
  /^(?:seed|random_?seed|port|master_?port|pid|ppid|uid|gid|rank|local_?rank|world_?size|bs|batch_?size|workers|threads|procs|epochs|dim|size|shape|channels|layers|heads|params|parameters|depth|width|height|samples|examples|images|total|count|length|len|start|end|offset|page|limit|retries|attempts?|verbosity|debug|save_steps|warmup|patience)$/i;
const COUNTS = /^(?:num|nb|no|n|max|min|total|number|count)[_ -]/i;
const TIMES =
  /^(?:(?:\w+[_/])?(?:time|times|runtime|eta|elapsed|remaining|duration)|date|datetime|ts|_?timestamps?|secs?|seconds|ms|year|month|day|hours?|minutes?|created(?:_?at)?)$/i;
const MACHINE =
  /^(?:(?:\w+[_/])?(?:mem|memory|vram|ram)|cuda|gpu|gpus|cpu|cpus|npu|xpu|tpu|mps|device|devices|node|nodes|host|localhost|core|cores|slot)$/i;
const IDENTITIES =
  /^(?:v|ver|version|versions|v_num|id|ids|run_?id|job|jobid|job_?id|task|commit|hash|sha|revision|build|line|lineno|col|column|level|levelno|code|exit_?code|status|errno|signal|python|torch|numpy|index|idx|key|part|file|files)$/i;
const FAULT = /\w(?:Error|Exception|Warning)$|^(?:ERROR|WARN|WARNING|FATAL|CRITICAL|INFO|DEBUG|TRACE)$/;
const SIZE = /^(?:[kmgt]i?b|bytes?|b|bits?|[kmgt]bps|pixels|px)(?:\/s)?$/i;
const DURATION = /^(?:[num]s|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?)$/i;

/** What is no metric. Tried in this order; a name that holds a metric's word (`eval_loss`) passes the rules of names. */
export const NO_METRICS: readonly NoMetricRule[] = [
  rule(
    "an argument",
    ["python train.py --lr=0.1 --dropout 0.5"],
    ({ before, name }) => before === "-" || name.startsWith("-"),
  ),
  rule("a part of an address", ["GET http://host/api?a=1&b=2.5"], ({ before }) => /[?&]/.test(before)),
  rule(
    "a path",
    ["saved to /runs/lr=0.1", "wrote ./out/x: 5"],
    ({ before, name }) => /[/\\~]/.test(before) || /^[./@]/.test(name),
  ),
  rule("a place in a file", ["train.py:123 started"], ({ name }) =>
    /\.(?:py|pyx|cc|cpp|cu|cuh|c|h|hpp|js|ts|rs|go|sh)$/.test(name),
  ),
  rule("a size", ["cache: 4.5 GB", "memory: 12 MiB"], ({ unit }) => SIZE.test(unit)),
  rule("a duration", ["warmup: 5 s", "wait: 10.5 minutes"], ({ unit }) => DURATION.test(unit)),
  rule(
    "a fault and its number",
    ["requests.HTTPError: 401 Client Error", "ERROR: 403 Forbidden"],
    ({ name, isWhole }) => isWhole && FAULT.test(name),
  ),
  named(
    "a place, which something is said of",
    ["sh: 1: exec: pyhton: not found"],
    ({ after }) => after === ":",
  ),
  named("a share of work done", ["Progress: 50%", "disk=93%"], ({ after }) => after === "%"),
  named(
    "a host and its port",
    ["listening on worker:2222"],
    (candidate) => candidate.separator === ":" && candidate.isGlued && candidate.isWhole,
  ),
  named("a time", ["time: 12.5", "eta=100", "data_time: 0.01"], ({ name }) => TIMES.test(name)),
  named("a part of the machine", ["gpu: 3", "cuda:0", "max_mem: 4500"], ({ name }) => MACHINE.test(name)),
  named("an identity", ["version: 2.1", "run_id=123", "exit code: 1"], ({ name }) => IDENTITIES.test(name)),
  named("a count", ["num_params: 124000000", "max_steps=100"], ({ name }) => COUNTS.test(name)),
  named("a setting", ["seed=42", "batch_size: 32"], ({ name }) => SETTINGS.test(name)),
  named("a variable of the environment", ["OMP_NUM_THREADS=8", "NCCL_DEBUG: 1"], ({ name }) =>
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name),
  ),
];

/** Whether a number may end here. */
export function isNumberEnd(line: string, end: number): boolean {
  if (end >= line.length) return true;
  const code = line.charCodeAt(end);
  if (code === COMMA) return !isDigit(line.charCodeAt(end + 1));
  if (isBreak(code) || code === PERCENT || code === STAR) return true;
  if (code !== COLON && code !== DOT && code !== EXCLAMATION) return false;
  return end + 1 === line.length || isSpace(line.charCodeAt(end + 1));
}

/** The rule by which this is no metric; null where it is one. */
export function findNoMetricRule(candidate: Candidate): NoMetricRule | null {
  return NO_METRICS.find(({ refuses }) => refuses(candidate)) ?? null;
}

function rule(what: string, examples: readonly string[], refuses: NoMetricRule["refuses"]): NoMetricRule {
  return { what, examples, refuses };
}

/** A rule that a metric's own word overrules: `Accuracy: 91%` is one. */
function named(what: string, examples: readonly string[], refuses: NoMetricRule["refuses"]): NoMetricRule {
  return rule(what, examples, (candidate) => refuses(candidate) && !hasMetricWord(candidate.name));
}
