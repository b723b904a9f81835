import { type Action, type ActionContext, readAction } from "./action.ts";
import { describeValue } from "./describe-value.ts";
import { findDialect } from "./dialects.ts";
import type { PayloadKind } from "./observation.ts";
import { applyRules, type Issue, type Rule } from "./rule.ts";
import { envelopeRules } from "./rules/envelope-rules.ts";
import { motionRules } from "./rules/motion-rules.ts";
import { numberRules } from "./rules/number-rules.ts";
import { optionRules } from "./rules/option-rules.ts";
import { shapeRules } from "./rules/shape-rules.ts";
import { isMap } from "./unpack.ts";

/** Every rule for the challenge's own action, in the order in which they are held against it. */
export const actionRules: readonly Rule<Action>[] = [
  ...envelopeRules,
  ...shapeRules,
  ...numberRules,
  ...motionRules,
  ...optionRules,
];

/** The rules for a reply to an openpi client: numpy arrays are its own form, and its numbers are its own affair. */
export const openpiRules: readonly Rule<Action>[] = [
  ...envelopeRules.filter(({ name }) => ["binary-frame", "plain-msgpack", "reply-size"].includes(name)),
  {
    name: "actions-present",
    level: "hard",
    wants: 'The reply is a map with "actions", a list or an array.',
    needs: ["plain-msgpack"],
    find: ({ value }) => {
      if (!isMap(value))
        return { path: "the reply", says: `is ${describeValue(value)}: a map with "actions" belongs there` };
      const { actions } = value;
      if (Array.isArray(actions) || findDialect(actions) !== undefined) return undefined;
      return { path: "actions", says: `is ${describeValue(actions)}: a list or an array belongs there` };
    },
  },
];

export interface CheckOptions {
  /** False leaves out the soft look at every number. Default: true. */
  readonly deep?: boolean;
}

/**
 * Holds an action against the rules: hard ones that the simulator or the episode fails by, soft ones that most likely
 * mean a mistake. Never throws. At most one issue a rule; a rule whose ground is broken already is not asked.
 */
export function checkAction(
  bytes: Uint8Array,
  context: ActionContext = {},
  options: CheckOptions = {},
): Issue[] {
  return applyRules(actionRules, readAction(bytes, context), options);
}

/** The check that fits the kind of the observation that is answered; of an `opaque` one nothing is known. */
export function checkReply(
  kind: PayloadKind,
  bytes: Uint8Array,
  context: ActionContext = {},
  options: CheckOptions = {},
): Issue[] {
  if (kind === "opaque") return [];
  return applyRules(kind === "g2" ? actionRules : openpiRules, readAction(bytes, context), options);
}
