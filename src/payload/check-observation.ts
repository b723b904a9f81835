import { findDialect } from "./dialects.ts";
import { findInside } from "./find-inside.ts";
import { type Observation, takeApart } from "./observation.ts";
import { applyRules, type Issue, type Rule } from "./rule.ts";
import { pictureRules } from "./rules/picture-rules.ts";
import { stateRules } from "./rules/state-rules.ts";
import { isMap } from "./unpack.ts";

/** Every rule for the challenge's own observation, in the order in which they are held against it. */
export const observationRules: readonly Rule<Observation>[] = [
  {
    name: "observation-msgpack",
    level: "hard",
    wants: "The observation is one whole msgpack value and nothing behind it.",
    find: ({ fault }) =>
      fault === undefined ? undefined : { path: "", says: `the observation is no msgpack: ${fault}` },
  },
  {
    name: "observation-plain",
    level: "hard",
    wants: "The observation holds no ext values and no packed numpy arrays.",
    needs: ["observation-msgpack"],
    find: ({ value }) => {
      const found = findInside(value, findDialect);
      return found && { path: found.path, says: found.hit.says };
    },
  },
  {
    name: "observation-envelope",
    level: "hard",
    wants: 'The observation is {method: "infer", params} with images and states.',
    needs: ["observation-plain"],
    find: ({ value, params }) => {
      if (!isMap(value) || value["method"] !== "infer") return { path: "method", says: 'is not "infer"' };
      for (const name of ["images", "states"]) {
        if (!isMap(params[name])) return { path: `params.${name}`, says: "is no map" };
      }
      return undefined;
    },
  },
  ...pictureRules,
  ...stateRules,
];

/** Holds an observation against the rules for the challenge's own. Never throws; at most one issue a rule. */
export function checkObservation(bytes: Uint8Array): Issue[] {
  return applyRules(observationRules, takeApart(bytes));
}
