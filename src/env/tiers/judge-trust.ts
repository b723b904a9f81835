import type { Card, Interpreter } from "../key-of-trust.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import { explainDue } from "./explain-due.ts";
import { planTierTwo, type TierTwoPlan } from "./run-tier-two.ts";
import type { Tier, TierRecord } from "./tier-record.ts";

/** What a run would rest on. */
export interface TrustQuestion {
  readonly spec: EnvSpec;
  /** Lines of the requirement files that the spec names. */
  readonly requirements?: readonly string[];
  /** All of the host for this spec, the oldest first. */
  readonly records: readonly TierRecord[];
  /** As in the records: a prefix, or the path of a person's interpreter. */
  readonly environment: string;
  readonly interpreter: Interpreter;
  /** The GPUs of the run; null or none: it has no GPU. */
  readonly cards: readonly Card[] | null;
  /** The hash of what is documented; null: no command is. */
  readonly document: string | null;
}

/** A tier that has yet to pass. */
export interface DueTier {
  readonly tier: Tier;
  /** Of tier 2: the card; null: a CPU. */
  readonly card: Card | null;
  /** For people, in one line. */
  readonly why: string;
  /** Its newest try, which failed; null: it was not tried. */
  readonly failed: TierRecord | null;
}

export interface Trust {
  /** In their order; none: the environment is trusted. */
  readonly due: readonly DueTier[];
  /** What it rests on. */
  readonly passed: readonly TierRecord[];
  /** `none`: nothing is documented, so that tier 3 has nothing to follow. */
  readonly document: "passed" | "due" | "none";
  /** Why tier 2 cannot pass whatever is tried, and what to add to the spec. */
  readonly missing: TierTwoPlan["missing"];
  /** For people, in one line. */
  readonly why: string;
}

/**
 * Which tiers are due before a run. Tier 1 holds for an environment with its interpreter, tier 2 for a card with its
 * driver besides, tier 3 for what is documented; of several tries the newest counts.
 */
export function judgeTrust(question: TrustQuestion): Trust {
  const { spec, cards, document, records } = question;
  const hasCards = cards !== null && cards.length > 0;
  const wanted: Wanted[] = [
    { tier: 1, card: null, document: null },
    ...(hasCards ? cards : [null]).map((card) => ({ tier: 2 as const, card, document: null })),
    ...(document === null ? [] : [{ tier: 3 as const, card: null, document }]),
  ];
  const judged = wanted.map((one) => {
    const newest = records.findLast((record) => isOf(record, one, question)) ?? null;
    return { ...one, newest, isDue: newest?.passed !== true };
  });
  const due = judged
    .filter(({ isDue }) => isDue)
    .map(({ tier, card, newest }): DueTier => {
      return { tier, card, failed: newest, why: explainDue({ tier, card, newest }, question) };
    });
  const isDocumentDue = due.some(({ tier }) => tier === 3);
  const passed = judged.flatMap(({ newest, isDue }) => (newest === null || isDue ? [] : [newest]));
  return {
    ...{ due, passed, why: makeSummary(due, passed) },
    document: document === null ? "none" : isDocumentDue ? "due" : "passed",
    missing: planTierTwo(spec, hasCards ? "any" : null, question.requirements).missing,
  };
}

interface Wanted {
  readonly tier: Tier;
  readonly card: Card | null;
  readonly document: string | null;
}

/** Whether a record tells of this very thing: the same key of trust. */
function isOf(record: TierRecord, wanted: Wanted, { environment, interpreter }: TrustQuestion): boolean {
  return (
    record.tier === wanted.tier &&
    record.environment === environment &&
    isSameInterpreter(record.interpreter, interpreter) &&
    isSameCard(record.card, wanted.card) &&
    record.document === wanted.document
  );
}

function isSameInterpreter(one: Interpreter, other: Interpreter): boolean {
  return one.path === other.path && one.version === other.version && one.packages === other.packages;
}

function isSameCard(one: Card | null, other: Card | null): boolean {
  if (one === null || other === null) return one === other;
  return one.uuid === other.uuid && one.model === other.model && one.driver === other.driver;
}

function makeSummary(due: readonly DueTier[], passed: readonly TierRecord[]): string {
  if (due.length === 0) return passed.map(({ message }) => message).join("; ");
  return due.map(({ tier, why }) => `tier ${tier}: ${why}`).join("; ");
}
