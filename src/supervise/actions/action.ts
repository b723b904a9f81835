import type { Transfer } from "../../targets/target.ts";
import type { Desk } from "../desk.ts";
import type { EnvironmentNews } from "../environment/ready-environment.ts";
import type { ActionPlan, Condition } from "./action-plan.ts";

/** What a caller gives at the moment of confirmation, and what is never on record. */
export interface ActionCall {
  /** By name, as in `password`; a missing one is looked for in the environment, or made. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The plan was made a moment ago, and nobody has thought it over: what was recorded for it need not be looked at twice. */
  readonly justMade?: boolean;
  /** Puts a question that comes up meanwhile; absent: nobody can be asked. */
  readonly askPerson?: (question: string) => Promise<boolean>;
  /** Told what goes on, line by line. */
  readonly onLine?: (line: string) => void;
  /** How far code that is sent is on its way. */
  readonly onProgress?: (transfer: Transfer) => void;
  /** Told while an environment is made ready. */
  readonly onNews?: (news: EnvironmentNews) => void;
  /** Calls it off, where that can be done. */
  readonly signal?: AbortSignal;
}

export interface ActionOutcome {
  /** What `--json` prints beside the plan. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The same for people. Secrets that were made stand here, once. */
  readonly words: readonly string[];
}

export interface Action<Terms extends object = object, Rest extends Condition = Condition> {
  /**
   * What no longer holds of what the plan rests on, in words; empty: it holds. Throws what is wrong with what the caller
   * gave. Nothing is done yet.
   */
  findChanges(desk: Desk, plan: ActionPlan<Terms, Rest>, call: ActionCall): Promise<readonly string[]>;
  /** Does exactly what the terms say, once. */
  execute(desk: Desk, terms: Terms, call: ActionCall, plan: ActionPlan): Promise<ActionOutcome>;
}

/** Gives an action the types of its terms; the table holds all of them as one. */
export function defineAction<Terms extends object, Rest extends Condition>(
  action: Action<Terms, Rest>,
): Action {
  return action as unknown as Action;
}
