import { basename, dirname, resolve } from "node:path";
import { SortieError } from "../base/error.ts";
import { findKeyRow } from "./keys/table.ts";
import type { Config } from "./load-config.ts";
import type { KeyValue, Target } from "./target.ts";
import { readValue } from "./value-readers.ts";
import { makeValueText } from "./value-text.ts";
import { makeVariableName } from "./variables.ts";

/** Every setting with its default; durations in seconds, amounts in US dollars. */
export const settingDefaults = {
  target: null as string | null,
  /** A path on the host; null: `jobs` in Sortie's home folder there. */
  job_dir: null as string | null,
  free_memory_mib: 500,
  grace: 30,
  timeout: null as number | null,
  results: ["results/"] as readonly string[],
  /** Absolute path at home; null: `runs/ID` in Sortie's home folder. */
  results_to: null as string | null,
  code_sync: "rsync" as "rsync" | "git",
  sync_include: [] as readonly string[],
  sync_exclude: [] as readonly string[],
  freeze: false as boolean,
  /** A name or a path; null: the project's only one. */
  env_spec: null as string | null,
  /** A folder or a file; null: `.aris/compute/`. */
  env_ledger: null as string | null,
  /** A path on the host; null: `envs` in Sortie's home folder there. */
  env_dir: null as string | null,
  /** Regular expressions. */
  metric_pattern: [] as readonly string[],
  /** 0: never. */
  silent_after: 1800,
  wandb: false as boolean,
  wandb_project: null as string | null,
  wandb_entity: null as string | null,
  wandb_way: "script" as "script" | "forward",
  max_budget: null as number | null,
  /** It may hold a token: never shown whole. */
  notify_webhook: null as string | null,
  notify_desktop: false as boolean,
};

export type SettingName = keyof typeof settingDefaults;
export type SettingValue<Name extends SettingName> = (typeof settingDefaults)[Name];

/** Where a value comes from, in the order of precedence; `text` is for people: `AGENTS.md line 6`. */
export interface SettingSource {
  readonly from: "flag" | "variable" | "section" | "project" | "home" | "default";
  readonly text: string;
}

export interface ResolvedSetting<Name extends SettingName> {
  readonly value: SettingValue<Name>;
  readonly source: SettingSource;
}

export interface SettingRequest {
  /** The target whose section is asked; absent: only what holds for all. */
  readonly target?: Target;
  /** The text of the flag as it was typed, or the texts of one that was given several times. */
  readonly flag?: string | readonly string[];
}

/**
 * A setting by precedence: flag, SORTIE_ variable, the target's section, the project file (`## Sortie`, and file-wide
 * keys of one section), config.yaml, default. Throws `value_bad` for a flag that cannot be read.
 */
export function resolveSetting<Name extends SettingName>(
  config: Config,
  name: Name,
  { target, flag }: SettingRequest,
): ResolvedSetting<Name> {
  const found = findSetting(config, name, target, flag);
  if (found === undefined)
    return { value: settingDefaults[name], source: { from: "default", text: "default" } };
  const value =
    name === "results_to" ? resolve(found.folder, expandHome(String(found.value), config)) : found.value;
  return { value: value as SettingValue<Name>, source: found.source };
}

interface FoundSetting {
  readonly value: unknown;
  readonly source: SettingSource;
  /** What a relative path is relative to. */
  readonly folder: string;
}

function findSetting(
  config: Config,
  name: SettingName,
  target: Target | undefined,
  flag: string | readonly string[] | undefined,
): FoundSetting | undefined {
  if (flag !== undefined) return readFlag(config, name, flag);
  const variable = config.settings.variables.get(name);
  if (variable !== undefined) {
    const text = makeVariableName(name);
    return { value: variable, source: { from: "variable", text }, folder: config.cwd };
  }
  const file = config.files[0] ?? "";
  return (
    makeFound("section", target?.source.values.get(name), target?.source.file ?? "") ??
    makeFound("project", config.defaults.get(name), file) ??
    makeFound("home", config.settings.home.get(name), config.paths.config)
  );
}

function makeFound(
  from: SettingSource["from"],
  found: KeyValue | undefined,
  file: string,
): FoundSetting | undefined {
  if (found === undefined) return undefined;
  const text = `${basename(file)} line ${found.line}`;
  return { value: found.value, source: { from, text }, folder: dirname(file) };
}

function readFlag(config: Config, name: SettingName, flag: string | readonly string[]): FoundSetting {
  const option = `--${name.replaceAll("_", "-")}`;
  const written =
    typeof flag === "string" ? makeValueText(flag) : { ...makeValueText(flag.join(", ")), words: flag };
  const read = readValue(findKeyRow(name), written);
  if (!("value" in read)) {
    const advice = read.nearest ? `Did you mean ${read.nearest}?` : findKeyRow(name).about;
    throw new SortieError("value_bad", {
      what: option,
      value: written.text,
      reason: `it ${read.problem}`,
      advice,
    });
  }
  return { value: read.value, source: { from: "flag", text: option }, folder: config.cwd };
}

function expandHome(path: string, config: Config): string {
  return path.replace(/^~(?=\/|$)/, config.home);
}
