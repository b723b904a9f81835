import { countOf } from "../../../base/count-of.ts";
import type { Action } from "../../../payload/action.ts";
import { actionRules, openpiRules } from "../../../payload/check-action.ts";
import type { PayloadKind } from "../../../payload/observation.ts";
import type { Issue, Rule } from "../../../payload/rule.ts";
import type { CheckRow, Verdict } from "../check-row.ts";
import type { Evidence, Exchange } from "../evidence.ts";
import { fail, judgeAll, listAnswered, pass } from "./verdict.ts";

/** Told by `policy-rng` below: what is sent back tells which observation an answer belongs to. */
const TOLD_APART = "policy-rng";

const ruleAdvice = {
  hard: "The simulator fails here, or the episode is lost: repair it before a submission.",
  soft: "Most likely a mistake: look at it before a submission.",
};

/** The rules for an action, each a check over the answers of the first session; then what holds for all answers. */
export function makeReplyChecks(payload: PayloadKind): CheckRow[] {
  return [...listRules(payload).map(makeRuleCheck), ...laterChecks];
}

/** The rules that answers to this kind of payload are held against. */
function listRules(payload: PayloadKind): readonly Rule<Action>[] {
  if (payload === "opaque") return actionRules.filter(({ name }) => name === "binary-frame");
  const rules = payload === "g2" ? actionRules : openpiRules;
  return rules.filter(({ name }) => name !== TOLD_APART);
}

function makeRuleCheck({ name, level, wants, needs }: Rule<Action>): CheckRow {
  const row = { name, level, group: "reply", wants, advice: ruleAdvice[level], needs } as const;
  if (name === "binary-frame") return { ...row, judge: judgeBinary };
  return {
    ...row,
    judge: (evidence) =>
      judgeAll(listBasic(evidence), ({ issues }) => findIssue(issues, name) !== undefined, {
        bad: ({ issues }) => findIssue(issues, name)?.sentence ?? "",
      }),
  };
}

function judgeBinary(evidence: Evidence): Verdict | undefined {
  const texts = evidence.tunnels.reduce((sum, { textReplies }) => sum + textReplies, 0);
  if (texts > 0) return fail(`${countOf(texts, "answer")} came as a text frame: return bytes, not text`);
  return listAnswered(evidence).length > 0 ? pass() : undefined;
}

const laterChecks: readonly CheckRow[] = [
  {
    name: "policy-rng",
    level: "soft",
    group: "reply",
    wants: "policy_rng of the observation comes back in result.policy_rng, where a simulator sends it.",
    advice: 'Copy params["policy_rng"] into result["policy_rng"] where it is there.',
    needs: ["envelope"],
    judge: (evidence) => {
      const answered = listAnswered(evidence).filter(
        (exchange) => exchange.echo !== undefined && !isError(exchange),
      );
      if (answered.every(({ echo }) => echo === "none")) return undefined;
      return judgeAll(answered, ({ echo }) => echo === "none", {
        bad: () => "some answers carry it and some do not",
      });
    },
    otherwise: "no answer carries it; few simulators ask for it",
  },
  {
    name: "equal-observations",
    level: "hard",
    group: "reply",
    wants: "An observation equal to the last one is answered like any other.",
    advice: "A robot that stands still sends equal observations: never drop one for being equal.",
    judge: (evidence) => {
      const repeats = evidence.exchanges.filter(({ isRepeat, isAfterCut }) => isRepeat && !isAfterCut);
      if (repeats.some(({ outcome }) => outcome === "late")) return fail("it was not answered");
      return judgeLater(
        listBasic(evidence),
        repeats.filter(({ outcome }) => outcome === "answered"),
      );
    },
  },
  {
    name: "second-session",
    level: "hard",
    group: "reply",
    wants: "A session and an episode later the answers are as good as at first.",
    advice: "Reset what is remembered at session_close, at open(), and when episode_idx changes.",
    judge: (evidence) => judgeLater(listIn(evidence, "first"), listSecond(evidence)),
  },
  {
    name: "after-cut",
    level: "hard",
    group: "reply",
    wants: "After a cut of the link the answers are as good as before.",
    advice: "Keep the state of a session until its session_close: a redial goes on with the same session.",
    judge: (evidence) =>
      judgeLater(
        [...listIn(evidence, "first"), ...listSecond(evidence)],
        listIn(evidence, "second").filter(hasMetCut),
      ),
  },
  {
    name: "steady",
    level: "hard",
    group: "reply",
    wants: "Over many observations the answers stay as good as at first.",
    advice: "Look at what piles up or runs out over a session: buffers, indices, numbers that overflow.",
    judge: (evidence) =>
      judgeLater([...listIn(evidence, "first"), ...listIn(evidence, "second")], listIn(evidence, "steady")),
  },
];

function listIn(evidence: Evidence, stage: Exchange["stage"]): Exchange[] {
  return listAnswered(evidence).filter((exchange) => exchange.stage === stage);
}

/** What the rules are held against: the first session, without the observation that was sent twice. */
function listBasic(evidence: Evidence): Exchange[] {
  return listIn(evidence, "first").filter(({ isRepeat }) => !isRepeat);
}

function listSecond(evidence: Evidence): Exchange[] {
  return listIn(evidence, "second").filter((exchange) => !hasMetCut(exchange));
}

function hasMetCut({ wasCut, isAfterCut }: Exchange): boolean {
  return wasCut || isAfterCut;
}

function isError({ issues }: Exchange): boolean {
  return findIssue(issues, "error-envelope") !== undefined;
}

/** Only a hard rule that no earlier answer broke is news. */
function judgeLater(earlier: readonly Exchange[], later: readonly Exchange[]): Verdict | undefined {
  const known = new Set(earlier.flatMap(({ issues }) => issues.map(({ name }) => name)));
  const findNews = ({ issues }: Exchange) =>
    issues.find(({ name, level }) => level === "hard" && !known.has(name));
  return judgeAll(later, (exchange) => findNews(exchange) !== undefined, {
    good: (all) => countOf(all.length, "answer"),
    bad: (exchange) => `${findNews(exchange)?.name}: ${findNews(exchange)?.sentence}`,
  });
}

function findIssue(issues: readonly Issue[], name: string): Issue | undefined {
  return issues.find((issue) => issue.name === name);
}
