import { countOf } from "../../../base/count-of.ts";
import type { CheckRow, Verdict } from "../check-row.ts";
import type { Close, Cut, Evidence } from "../evidence.ts";
import { fail, judgeAll, listReadyTunnels, pass, quoteLog, showMs } from "./verdict.ts";

/** The link: that it stays, that it is alive, and what a cut costs. */
export const linkChecks: readonly CheckRow[] = [
  {
    name: "stays-up",
    level: "hard",
    group: "link",
    wants: "No agent goes away by itself.",
    advice:
      "Look at the end of its log: a crash of the handler, or of the agent, loses the case that is played.",
    needs: ["frames-well-formed"],
    judge: (evidence) =>
      judgeAll(listReadyTunnels(evidence), ({ closes }) => closes.some(isUnasked), {
        bad: ({ closes }) =>
          `the link was closed with ${closes.find(isUnasked)?.code} in the middle${quoteLog(evidence)}`,
      }),
  },
  {
    name: "answers-pings",
    level: "hard",
    group: "link",
    wants: "Pings are answered while the handler is busy.",
    advice:
      "Run the model apart from the socket, in another process or thread: a platform ends a link after 45 s of silence.",
    judge: (evidence) => {
      const { pongMs } = evidence.terms;
      return judgeAll(listReadyTunnels(evidence), ({ longestSilenceMs }) => longestSilenceMs > pongMs, {
        good: (tunnels) =>
          `longest silence ${showMs(Math.max(...tunnels.map((tunnel) => tunnel.longestSilenceMs)))}`,
        bad: ({ longestSilenceMs }) => `no pong for ${showMs(longestSilenceMs)}, more than ${showMs(pongMs)}`,
      });
    },
  },
  {
    name: "same-agent-id",
    level: "hard",
    group: "link",
    wants: "A redial uses the agent id of the first dial.",
    advice: "Make the id once a process: an open session is found again by job and agent id.",
    judge: (evidence) => {
      if (evidence.cuts.length === 0) return undefined;
      const more = evidence.tunnels.length - evidence.terms.agents;
      return more <= 0 ? pass() : fail(`${countOf(more, "id")} more than agents dialled`);
    },
  },
  {
    name: "redial-in-time",
    level: "hard",
    group: "link",
    wants: "After a cut the agent dials again before its session is given up.",
    advice: "Redial at once, then with growing pauses, for at least 75 s in all.",
    needs: ["same-agent-id"],
    judge: (evidence) =>
      judgeAll(evidence.cuts, ({ backAfterMs }) => backAfterMs === undefined, {
        good: describeReturns,
        bad: () => `no dial within ${showMs(evidence.terms.windowMs)} of the cut${quoteLog(evidence)}`,
      }),
  },
  {
    name: "resume-without-warmup",
    level: "hard",
    group: "link",
    wants: "A resumed session goes on without a second warm-up.",
    advice: "After a redial serve frames at once: warmup and session_open do not come again.",
    needs: ["redial-in-time"],
    judge: ({ cuts }) =>
      judgeAll(cuts, ({ neededWarmUp }) => neededWarmUp, {
        bad: () => "nothing was answered until a second warmup was sent",
      }),
  },
  {
    name: "no-reply-lost",
    level: "hard",
    group: "link",
    wants: "No answer is lost over a cut.",
    advice:
      "Keep the last answer until its delivery is sure, and send it again where the gateway did not get it.",
    needs: ["equal-observations", "redial-in-time", "resume-without-warmup"],
    judge: ({ cuts }) =>
      judgeAll(cuts, ({ wasAnswered }) => !wasAnswered, {
        good: countMoments,
        bad: (cut) => `cut ${showMoment(cut)}: the observation was never answered`,
      }),
  },
  {
    name: "no-reply-doubled",
    level: "hard",
    group: "link",
    wants: "No answer is sent again that had arrived.",
    advice: "Send an answer again only where its delivery is not sure and no new observation came.",
    needs: ["redial-in-time", "one-reply-each", "replies-in-order", "no-reply-lost"],
    judge: judgeDoubled,
  },
];

/** In the middle of ordinary work; what a probe or the warm-up led to is told by their own checks. */
function isUnasked({ during }: Close): boolean {
  return during === "observation" || during === "idle";
}

/** `back after 154 to 242 ms`. */
function describeReturns(cuts: readonly Cut[]): string {
  const times = cuts.map(({ backAfterMs = 0 }) => Math.round(backAfterMs));
  const [least, most] = [Math.min(...times), Math.max(...times)];
  return least === most ? `back after ${least} ms` : `back after ${least} to ${most} ms`;
}

/** `cut 2 times while an observation was with the handler, 2 times just after an answer`. */
function countMoments(cuts: readonly Cut[]): string {
  const moments = [...new Set(cuts.map(showMoment))];
  const count = (moment: string) => countOf(cuts.filter((cut) => showMoment(cut) === moment).length, "time");
  return `cut ${moments.map((moment) => `${count(moment)} ${moment}`).join(", ")}`;
}

function showMoment({ when }: Cut): string {
  return when === "in_handler" ? "while an observation was with the handler" : "just after an answer";
}

/** One answer too many shifts all that follow: each is then taken for the answer to the observation after its own. */
function judgeDoubled({ tunnels, cuts, exchanges }: Evidence): Verdict | undefined {
  if (cuts.length === 0) return undefined;
  const shifted = exchanges.filter(({ isAfterCut, echo }) => isAfterCut && echo === "other").length;
  if (shifted > 0)
    return fail(`${countOf(shifted, "observation")} after a cut got the answer to an earlier one`);
  const doubled = tunnels.reduce((sum, { surplusAfterCut }) => sum + surplusAfterCut, 0);
  return doubled === 0
    ? pass(countOf(cuts.length, "cut"))
    : fail(`${countOf(doubled, "answer")} came twice after a cut`);
}
