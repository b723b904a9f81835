import type { Card } from "../../env/key-of-trust.ts";
import type { DueTier } from "../../env/tiers/judge-trust.ts";
import type { TierRecord } from "../../env/tiers/tier-record.ts";
import type { Desk } from "../desk.ts";
import { type TierShown, type Trial, tryTier } from "./try-tiers.ts";

/** What is told while tiers are tried. */
export type TierNews =
  | { readonly kind: "trying"; readonly tier: DueTier["tier"]; readonly why: string }
  | { readonly kind: "shown"; readonly shown: TierShown }
  | { readonly kind: "warning"; readonly text: string };

/** A GPU that a run may take instead of another. */
export interface SpareCard {
  readonly card: Card;
  /** Its witness; null: it has passed. */
  readonly due: DueTier | null;
}

/**
 * Tries what is due, one after the other, until something fails: the next rests on it. A GPU that another has taken
 * meanwhile, as a run does that waited for the same build, is replaced by the next that may be taken.
 */
export async function tryDue(
  desk: Pick<Desk, "clock">,
  trial: Trial,
  {
    due,
    spare,
    records,
    onNews,
  }: {
    readonly due: readonly DueTier[];
    readonly spare: readonly SpareCard[];
    /** What each try has shown is added here at once: it holds whatever becomes of the next. */
    readonly records: TierRecord[];
    readonly onNews?: ((news: TierNews) => void) | undefined;
  },
): Promise<readonly TierShown[]> {
  const shown: TierShown[] = [];
  const left = [...due];
  const others = [...spare];
  let { card } = trial;
  for (let one = left.shift(); one !== undefined; one = left.shift()) {
    onNews?.({ kind: "trying", tier: one.tier, why: one.why });
    const tried = await tryTier(desk, { ...trial, card }, one);
    onNews?.({ kind: "shown", shown: tried.shown });
    if (tried.record) records.push(tried.record);
    if (tried.unkept) onNews?.({ kind: "warning", text: tried.unkept });
    const next = tried.shown.state === "taken" ? others.shift() : undefined;
    if (next === undefined) {
      shown.push(tried.shown);
      if (tried.shown.state !== "passed") break;
      continue;
    }
    if (one.card === null || one.card.uuid === card?.uuid) card = next.card;
    left.unshift(...(next.due ? [next.due] : []), ...(one.tier === 3 ? [one] : []));
  }
  return shown;
}
