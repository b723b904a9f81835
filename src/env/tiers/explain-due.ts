import type { Card, Interpreter } from "../key-of-trust.ts";
import type { Tier, TierRecord } from "./tier-record.ts";

interface Due {
  readonly tier: Tier;
  readonly card: Card | null;
  readonly newest: TierRecord | null;
}

interface Place {
  readonly records: readonly TierRecord[];
  readonly environment: string;
  readonly interpreter: Interpreter;
}

/** Why a tier is due, in words: it failed, it was never tried, or what it was passed with has changed since. */
export function explainDue(
  { tier, card, newest }: Due,
  { records, environment, interpreter }: Place,
): string {
  if (newest !== null) return `it failed: ${newest.message}`;
  const earlier = records.filter((record) => record.tier === tier && record.passed);
  if (earlier.length === 0) return "it has not been tried yet";
  const here = earlier.filter((record) => record.environment === environment);
  if (here.length === 0) return "the environment is a new one";
  const last = here.at(-1) as TierRecord;
  const same = here.filter((record) => describeChange(record.interpreter, interpreter) === null);
  if (same.length === 0)
    return describeChange(last.interpreter, interpreter) ?? "its interpreter has changed";
  if (tier === 3) return "what is documented has changed";
  return tier === 2 ? explainCard(card, same) : "it has not been tried yet";
}

function explainCard(card: Card | null, passed: readonly TierRecord[]): string {
  if (card === null) return "it has computed on GPUs, not on a CPU";
  const onCard = passed.findLast((record) => record.card?.uuid === card.uuid)?.card;
  if (!onCard) return `it has not computed on this ${card.model} yet (${card.uuid})`;
  return onCard.driver === card.driver
    ? `the model of ${card.uuid} is ${card.model} now, it was ${onCard.model}`
    : `the driver is ${card.driver} now, it was ${onCard.driver}`;
}

function describeChange(was: Interpreter, is: Interpreter): string | null {
  if (was.path !== is.path) return `its interpreter is ${is.path} now, it was ${was.path}`;
  if (was.version !== is.version)
    return `its Python is ${is.version ?? "unknown"} now, it was ${was.version ?? "unknown"}`;
  return was.packages === is.packages ? null : "what is installed in it has changed";
}
