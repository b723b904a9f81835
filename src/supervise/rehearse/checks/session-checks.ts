import { countOf } from "../../../base/count-of.ts";
import type { CheckRow, Verdict } from "../check-row.ts";
import type { Evidence, Exchange, Probe, ProbeKind } from "../evidence.ts";
import { fail, judgeAll, listAnswered, pass, quoteLog, showMs } from "./verdict.ts";

/** One observation, one answer, under the right session; and what else may come over a tunnel changes nothing. */
export const sessionChecks: readonly CheckRow[] = [
  {
    name: "session-id",
    level: "hard",
    group: "sessions",
    wants: "An answer carries the session id of its observation, byte for byte.",
    advice: "Keep the id as bytes and send the same bytes back.",
    needs: ["binary-frame"],
    judge: (evidence) =>
      judgeCount(evidence, ({ strayReplies }) => strayReplies, "came under another session id"),
  },
  {
    name: "frames-well-formed",
    level: "hard",
    group: "sessions",
    wants: "Every binary frame is a length of 4 bytes, the session id, and the payload.",
    advice:
      "Write the length of the session id big-endian, in bytes of UTF-8; the platform drops the connection otherwise.",
    judge: (evidence) =>
      judgeCount(evidence, ({ malformedFrames }) => malformedFrames, "could not be taken apart", "frame"),
  },
  {
    name: "answers",
    level: "hard",
    group: "sessions",
    wants: "Every observation is answered.",
    advice:
      "A handler that hangs holds its slot and the robot for ever: give what it waits for a time limit.",
    needs: ["binary-frame", "frames-well-formed", "session-id"],
    judge: (evidence) =>
      judgeAll(
        evidence.exchanges.filter((exchange) => isPlain(exchange) && exchange.outcome !== "lost"),
        ({ outcome }) => outcome === "late",
        {
          good: (all) => countOf(all.length, "observation"),
          bad: () => `no answer within ${showMs(evidence.terms.replyMs)}${quoteLog(evidence)}`,
        },
      ),
  },
  {
    name: "one-reply-each",
    level: "hard",
    group: "sessions",
    wants: "An observation is answered once.",
    advice:
      "A second answer is taken as the answer to the next observation: the robot plays old actions from then on.",
    needs: ["answers"],
    judge: (evidence) =>
      judgeCount(
        evidence,
        ({ surplusReplies, surplusAfterCut }) => surplusReplies - surplusAfterCut,
        "came that nothing waited for",
      ),
  },
  makeProbeCheck("empty_frame", {
    name: "empty-frame",
    wants: "An empty frame is answered empty.",
    advice: "Answer a frame without payload with a frame without payload, and do not ask the handler.",
    isBad: ({ survived, answer }) => !survived || answer !== "empty",
    bad: ({ answer }) => (answer === "data" ? "it was answered with a payload" : "it was not answered empty"),
  }),
  makeProbeCheck("unknown_control", {
    name: "unknown-control",
    wants: "A control message of an unknown type changes nothing.",
    advice: "Log what is not known, and go on: newer gateways say more.",
  }),
  makeProbeCheck("junk_control", {
    name: "junk-control",
    wants: "Text that is no control message changes nothing.",
    advice: "Catch what JSON parsing throws, and look at the shape before using it.",
  }),
  makeProbeCheck("second_queued", {
    name: "queued-control",
    wants: "queued changes nothing: the agent stays, its model loaded.",
    advice: "Stay connected and wait: a session may open at any time.",
  }),
  makeProbeCheck("malformed_frame", {
    name: "malformed-frame",
    level: "soft",
    wants: "A binary frame that cannot be taken apart is dropped, and the link stays.",
    advice: "Log and drop it: a closed link costs a redial, and perhaps the session.",
  }),
  {
    name: "replies-in-order",
    level: "hard",
    group: "sessions",
    wants: "Each answer belongs to its own observation.",
    advice: "Answer from the observation at hand, not from one before it; one at a time, in order.",
    needs: ["one-reply-each"],
    judge: (evidence) =>
      judgeAll(
        listAnswered(evidence).filter(
          ({ echo, isAfterCut }) => !isAfterCut && (echo === "same" || echo === "other"),
        ),
        ({ echo }) => echo === "other",
        {
          good: (all) => `${countOf(all.length, "answer")}, told by policy_rng`,
          bad: () => "the policy_rng of an answer is that of another observation",
        },
      ),
    otherwise: "only answers that carry policy_rng back tell which observation they belong to",
  },
];

/** New, and sent over a link that nothing disturbed; what is in flight at the drain has a check of its own. */
function isPlain({ stage, wasCut, isAfterCut, isRepeat }: Exchange): boolean {
  return stage !== "drain" && !wasCut && !isAfterCut && !isRepeat;
}

function judgeCount(
  { tunnels, exchanges }: Evidence,
  count: (tunnel: Evidence["tunnels"][number]) => number,
  says: string,
  noun = "answer",
): Verdict | undefined {
  if (exchanges.length === 0) return undefined;
  const total = tunnels.reduce((sum, tunnel) => sum + count(tunnel), 0);
  return total === 0 ? pass() : fail(`${countOf(total, noun)} ${says}`);
}

interface ProbeWords {
  readonly name: string;
  readonly level?: CheckRow["level"];
  readonly wants: string;
  readonly advice: string;
  readonly isBad?: (probe: Probe) => boolean;
  readonly bad?: (probe: Probe) => string;
}

function makeProbeCheck(kind: ProbeKind, words: ProbeWords): CheckRow {
  const { name, level = "hard", wants, advice } = words;
  const {
    isBad = ({ survived }) => !survived,
    bad = () => "the next observation was not answered after it",
  } = words;
  return {
    ...{ name, level, group: "sessions", wants, advice, needs: ["one-reply-each"] },
    judge: ({ probes }) =>
      judgeAll(
        probes.filter((probe) => probe.kind === kind),
        isBad,
        { bad },
      ),
  };
}
