import { SortieError } from "../base/error.ts";
import { findNearest } from "../base/nearest.ts";
import { findKind } from "./gpu-kind.ts";
import type { Config } from "./load-config.ts";
import { resolveSetting } from "./settings.ts";
import { makeLocalTarget, type Target } from "./target.ts";
import { makeKebab } from "./target-name.ts";

/** The target to use, or those that a person must choose from: several, or none at all. */
export type TargetChoice =
  | { readonly target: Target }
  | { readonly target: null; readonly choices: readonly Target[] };

/**
 * The target that is wanted by name, kind or SSH alias; without one, the setting `target`, else the only one of the
 * project. Where that leaves a choice it is returned, for a person to make or for `makeChoiceError`.
 * Throws `target_unknown`, `target_ambiguous`, `file_unreadable`.
 */
export function chooseTarget(config: Config, wanted?: string): TargetChoice {
  const named = wanted ?? resolveSetting(config, "target", {}).value;
  if (named !== null) return { target: findTarget(config, named) };
  refuseUnreadable(config);
  const [only, ...others] = config.targets;
  if (only !== undefined && others.length === 0) return { target: only };
  return { target: null, choices: config.targets };
}

/** The error for a choice that nobody can be asked to make: `target_ambiguous`, or `target_missing` where there is none. */
export function makeChoiceError(config: Config, choices: readonly Target[]): SortieError {
  if (choices.length === 0) return new SortieError("target_missing", { folder: config.cwd });
  return new SortieError("target_ambiguous", { names: choices.map((target) => target.name) });
}

/** The target of that name, else the only one of that kind (`remote` is `ssh`), else the only one with that SSH alias. */
export function findTarget(config: Config, wanted: string): Target {
  const name = makeKebab(wanted);
  const kind = findKind(wanted);
  const byName = config.targets.find((target) => target.name === name);
  if (byName) return byName;
  const byKind = config.targets.filter((target) => target.kind === kind);
  if (kind === "local" && byKind.length === 0) return makeLocalTarget();
  refuseUnreadable(config);
  const matches = byKind.length > 0 ? byKind : config.targets.filter((target) => hasAlias(target, wanted));
  const [only, ...others] = matches;
  if (only === undefined) throw makeUnknown(config, wanted);
  if (others.length > 0) throw makeChoiceError(config, matches);
  return only;
}

/** Throws `config_bad` where a wrong value concerns this target: its section's, or a setting's for all. */
export function checkTarget(config: Config, target: Target): void {
  const concerning = config.errors.filter((issue) =>
    issue.target === null ? issue.key !== null : issue.target === target.name && target.source.file !== null,
  );
  if (concerning.length === 0) return;
  const problems = concerning.map((issue) => {
    const place = issue.file === null ? "" : `${issue.file} line ${issue.line}: `;
    return `${place}${issue.message}${issue.nearest === null ? "" : ` (did you mean ${issue.nearest}?)`}`;
  });
  throw new SortieError("config_bad", { target: target.name, problems: problems.join("; ") });
}

function hasAlias(target: Target, wanted: string): boolean {
  if (target.ssh === undefined) return false;
  const { destination, user } = target.ssh;
  return wanted === destination || (user !== null && wanted === `${user}@${destination}`);
}

/** A file that should say where work runs and cannot be read must not lead to another place. */
function refuseUnreadable(config: Config): void {
  if (config.unreadable === null) return;
  const advice = "Correct that, or run on this machine with `--target local`.";
  throw new SortieError("file_unreadable", { ...config.unreadable, advice });
}

function makeUnknown(config: Config, wanted: string): SortieError {
  const names = [...config.targets.map((target) => target.name)];
  if (!names.includes("local")) names.push("local");
  const near = findNearest(wanted, [...names, "remote", "ssh", "slurm", "vast", "modal"]);
  return new SortieError("target_unknown", { wanted, names, nearest: near ? ` Did you mean ${near}?` : "" });
}
