import type { CheckRow } from "../check-row.ts";
import type { Evidence, ProcessStory, TunnelStory } from "../evidence.ts";
import { showEnd } from "./start-checks.ts";
import { judgeAll, quoteLog, showMs } from "./verdict.ts";

/** The end: what is in flight is answered, the link is closed in an orderly way, and nothing is left. */
export const drainChecks: readonly CheckRow[] = [
  {
    name: "drain-answers",
    level: "hard",
    group: "drain",
    wants: "An observation that is in flight at drain is answered.",
    advice: "Finish what is in flight before the socket is closed.",
    judge: ({ exchanges }) =>
      judgeAll(
        exchanges.filter(({ stage }) => stage === "drain"),
        ({ outcome }) => outcome !== "answered",
        { bad: () => "it was not answered" },
      ),
  },
  {
    name: "drain-closes-1000",
    level: "hard",
    group: "drain",
    wants: "After drain the agent closes its link with 1000.",
    advice: "Close the WebSocket with 1000, and wait for the close to be answered before the process ends.",
    needs: ["drain-answers"],
    judge: (evidence) =>
      judgeAll(listDrained(evidence), (tunnel) => findLastCode(tunnel) !== 1000, {
        bad: (tunnel) => `the link ended with ${findLastCode(tunnel) ?? "no close at all"}`,
      }),
  },
  {
    name: "no-redial-after-drain",
    level: "hard",
    group: "drain",
    wants: "After drain nothing dials again.",
    advice: "Remember the drain: the job is over, and every dial is refused.",
    needs: ["agents-at-once"],
    judge: (evidence) => judgeAll(listDrained(evidence), isBackAfterDrain, { bad: () => "it dialled again" }),
  },
  {
    name: "drain-exit-0",
    level: "hard",
    group: "drain",
    wants: "A drained agent ends with exit code 0.",
    advice: "Exit with 0 after drain: any other code means that the agent failed.",
    needs: ["agents-at-once", "answers", "drain-answers"],
    judge: (evidence) =>
      listDrained(evidence).length === 0
        ? undefined
        : judgeAll(evidence.processes, isBadEnd, {
            bad: (story) =>
              story.wasStopped
                ? `it still ran ${showMs(evidence.terms.drainMs)} after drain`
                : `it ended with ${showEnd(story)}${quoteLog(evidence)}`,
          }),
  },
  {
    name: "nothing-left",
    level: "hard",
    group: "drain",
    wants: "No process is left behind.",
    advice: "End what the handler starts: use daemon threads, and processes that end with their parent.",
    needs: ["starts"],
    judge: (evidence) =>
      evidence.processes.some(({ endedAtMs }) => endedAtMs !== undefined)
        ? judgeAll([evidence.leftovers], (commands) => commands.length > 0, {
            bad: (commands) => `still there: ${commands.slice(0, 3).join(", ")}`,
          })
        : undefined,
  },
];

/** Agents that were there to be drained. */
function listDrained({ tunnels }: Evidence): TunnelStory[] {
  return tunnels.filter(({ drain, readyAtMs }) => drain !== undefined && readyAtMs !== undefined);
}

function findLastCode({ closes, drain }: TunnelStory): number | undefined {
  return closes.filter(({ atMs }) => atMs >= (drain?.atMs ?? 0)).at(-1)?.code;
}

function isBackAfterDrain({ drain, dialedAtMs, refusals }: TunnelStory): boolean {
  const dials = [...dialedAtMs, ...refusals.map(({ atMs }) => atMs)];
  return dials.some((atMs) => atMs > (drain?.atMs ?? 0));
}

function isBadEnd({ wasStopped, exitCode }: ProcessStory): boolean {
  return wasStopped || exitCode !== 0;
}
