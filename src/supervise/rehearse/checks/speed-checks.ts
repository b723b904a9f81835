import { formatBytes } from "../../../base/bytes.ts";
import { countOf } from "../../../base/count-of.ts";
import type { CheckRow, Verdict } from "../check-row.ts";
import type { Evidence, Exchange, MemorySample } from "../evidence.ts";
import { findGrowth, type Growth } from "../find-growth.ts";
import { findPercentile } from "../percentiles.ts";
import { fail, judgeAll, listAnswered, pass, showMs } from "./verdict.ts";

/** A robot that waits that long once has stopped, whatever the other answers take. */
const MOST_BUDGETS = 10;

/** How fast, and whether it stays as it is: all soft, since a challenge sets no limit to them. */
export const speedChecks: readonly CheckRow[] = [
  {
    name: "first-answer",
    level: "soft",
    group: "speed",
    wants: "The first answer comes within the budget too.",
    advice: "Load and compile at the warm-up: run the model once there.",
    judge: (evidence) =>
      judgeAll(
        listTimed(evidence).filter(({ isFirst }) => isFirst),
        ({ latencyMs = 0 }) => latencyMs > evidence.terms.budgetMs,
        {
          good: (all) => showMs(Math.max(...all.map(({ latencyMs = 0 }) => latencyMs))),
          bad: ({ latencyMs = 0 }) =>
            `${showMs(latencyMs)}, the budget is ${showMs(evidence.terms.budgetMs)}`,
        },
      ),
  },
  {
    name: "latency-budget",
    level: "soft",
    group: "speed",
    wants: "95 of 100 answers come within the budget, and none takes more than ten times as long.",
    advice: "A robot waits that long between chunks: make the model faster, or raise --budget-ms.",
    judge: (evidence) => {
      const timed = listTimed(evidence).filter(({ isFirst }) => !isFirst);
      if (timed.length === 0) return undefined;
      const times = timed.map(({ latencyMs = 0 }) => latencyMs);
      const { budgetMs } = evidence.terms;
      const p95 = findPercentile(times, 95);
      const slowest = Math.max(...times);
      const says = `p95 ${showMs(p95)} of ${showMs(budgetMs)}, the slowest ${showMs(slowest)}`;
      return p95 <= budgetMs && slowest <= MOST_BUDGETS * budgetMs ? pass(says) : fail(says);
    },
  },
  {
    name: "memory-growth",
    level: "soft",
    group: "speed",
    wants: "Memory does not grow with every observation.",
    advice: "Look for lists that keep observations or outputs (and with PyTorch, results without .detach()).",
    judge: judgeGrowth,
    otherwise: "too few observations, or memory cannot be read here",
  },
];

/** Answers whose time is their own: no cut made them late. */
function listTimed(evidence: Evidence): Exchange[] {
  return listAnswered(evidence).filter(({ wasCut, latencyMs }) => !wasCut && latencyMs !== undefined);
}

function judgeGrowth({ processes }: Evidence): Verdict | undefined {
  const growths = processes.flatMap(({ memory }) => listPids(memory).map((pid) => findGrowth(memory, pid)));
  const known = growths.filter((growth) => growth !== undefined);
  if (known.length === 0) return undefined;
  const worst = known.find(({ isLeak }) => isLeak);
  return worst === undefined
    ? pass(`${countOf(known.length, "process", "processes")} looked at`)
    : fail(describeGrowth(worst));
}

function listPids(memory: readonly MemorySample[]): number[] {
  return [...new Set(memory.map(({ pid }) => pid))];
}

function describeGrowth({ bytes, answers }: Growth): string {
  const each = formatBytes(bytes / answers);
  return `${formatBytes(bytes)} more after ${countOf(answers, "answer")}, ${each} each`;
}
