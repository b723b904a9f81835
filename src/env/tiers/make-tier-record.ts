import type { Card, Interpreter } from "../key-of-trust.ts";
import type { Tier, TierRecord } from "./tier-record.ts";
import { makeLine } from "./tier-result.ts";

/** One try of a tier: where it was made, and what it has shown. */
export interface TierTry {
  readonly tier: Tier;
  readonly passed: boolean;
  readonly message: string;
  readonly at: Date;
  readonly environment: string;
  readonly interpreter: Interpreter;
  /** Of tier 2; what other tiers are tried on does not matter. */
  readonly card?: Card | null;
  readonly library?: string | null;
  readonly cuda?: string | null;
  /** Of tier 3. */
  readonly document?: string | null;
}

/** The line that the host keeps of a try. */
export function makeTierRecord({ tier, at, message, ...shown }: TierTry): TierRecord {
  return {
    tier,
    passed: shown.passed,
    at: at.toISOString(),
    environment: shown.environment,
    interpreter: shown.interpreter,
    card: tier === 2 ? (shown.card ?? null) : null,
    cuda: tier === 2 ? (shown.cuda ?? null) : null,
    library: tier === 2 ? (shown.library ?? null) : null,
    document: tier === 3 ? (shown.document ?? null) : null,
    message: makeLine(message),
  };
}
