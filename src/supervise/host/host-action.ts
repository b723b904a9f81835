import { quoteCommand } from "../../base/quote.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import type { Store } from "../../store/store.ts";
import { type Action, type ActionCall, type ActionOutcome, defineAction } from "../actions/action.ts";
import { type ActionPlan, saveAction } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { findBroken, type HostCondition } from "./conditions.ts";
import { withRecords } from "./open-data.ts";

/** What all changes of an organiser have: on whose data they work. */
export interface HostTerms {
  readonly dataFolder: string;
}

export interface HostDraft<Terms extends HostTerms> {
  /** A name of the table, which is the command too. */
  readonly action: string;
  readonly terms: Omit<Terms, "dataFolder">;
  readonly restsOn: readonly HostCondition[];
  readonly notes?: readonly string[];
  readonly sideEffects: readonly string[];
  /** The words of the command that shows what became of it, as in `user ls`. */
  readonly look: readonly string[];
}

/** Keeps the plan of a change. */
export function planHostAction<Terms extends HostTerms>(
  desk: Desk,
  { file, dataFolder }: GatewayConfig,
  { action, terms, restsOn, notes = [], sideEffects, look }: HostDraft<Terms>,
): ActionPlan {
  return saveAction(desk, {
    ...{ action, restsOn, notes, sideEffects },
    terms: { ...terms, dataFolder },
    look: quoteCommand(["sortie", "gateway", ...look, "--config", file]),
  });
}

export interface HostWork<Terms extends HostTerms> {
  /** Throws what is wrong with what the caller gave. */
  readonly check?: (desk: Desk, terms: Terms, call: ActionCall) => void;
  readonly execute: (desk: Desk, records: Store, terms: Terms, call: ActionCall) => Promise<ActionOutcome>;
}

/** An action on the database of a gateway's data folder. */
export function defineHostAction<Terms extends HostTerms>({ check, execute }: HostWork<Terms>): Action {
  return defineAction<Terms, HostCondition>({
    async findChanges(desk, { terms, restsOn }, call) {
      check?.(desk, terms, call);
      return withRecords(terms.dataFolder, (records) => findBroken(records, restsOn));
    },
    execute: (desk, terms, call) =>
      withRecords(terms.dataFolder, (records) => execute(desk, records, terms, call)),
  });
}
