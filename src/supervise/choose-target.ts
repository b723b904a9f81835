import { createHash } from "node:crypto";
import { basename, dirname, resolve } from "node:path";
import { checkTarget, chooseTarget, makeChoiceError } from "../config/choose-target.ts";
import type { Footprint } from "../config/footprint.ts";
import { type Config, loadConfig } from "../config/load-config.ts";
import { hashSection } from "../config/section-hash.ts";
import { type ResolvedSetting, resolveSetting } from "../config/settings.ts";
import type { SshAddress } from "../config/ssh-address.ts";
import type { Target as TargetSection } from "../config/target.ts";
import { loadTrust, removeTrusted } from "../config/trust.ts";
import { listUntrusted, type Untrusted } from "../config/untrusted.ts";
import { findPersonalHome } from "../disk/home.ts";
import type { SshHost } from "../process/ssh/ssh-host.ts";
import type { Desk } from "./desk.ts";
import { needsNoTrust } from "./remote/knows-host.ts";
import type { ChosenInstance } from "./rent/find-instance.ts";
import type { AccountDesk } from "./rent/open-account.ts";

/** A target with everything that the configuration says of a run on it. Times in seconds. */
export interface ChosenTarget {
  readonly section: TargetSection;
  /** How its host is reached over the network; null: it is this machine. */
  readonly ssh: SshHost | null;
  /** The rented machine that it stands for; null: none, or one that is still to be rented. */
  readonly instance: ChosenInstance | null;
  /** The folder at home whose code is sent: that of the file with the section, else the one that was asked from. */
  readonly projectFolder: string;
  /** Of what the section means; a plan rests on it. */
  readonly hash: string;
  readonly footprint: Footprint;
  readonly settings: {
    /** null: `jobs` in the home folder of Sortie there. */
    readonly jobDir: string | null;
    readonly freeMemoryMiB: number;
    readonly graceS: number;
    readonly timeoutS: number | null;
    readonly results: readonly string[];
    /** What `~/` in results means; null: the host knows. */
    readonly resultsHome: string | null;
    readonly resultsTo: string | null;
    /** Absolute: where a run on this machine starts unless it is told otherwise; null: where it is called. */
    readonly codeDir: string | null;
    readonly freeze: ResolvedSetting<"freeze">;
    readonly metricPattern: ResolvedSetting<"metric_pattern">;
    /** 0: never. */
    readonly silentAfterS: number;
    readonly codeSync: "rsync" | "git";
    readonly syncInclude: readonly string[];
    readonly syncExclude: readonly string[];
    readonly envSpec: string | null;
    readonly envLedger: string | null;
    /** null: `envs` in the home folder of Sortie there. */
    readonly envDir: string | null;
    /** null: runs do not log to W&B. */
    readonly wandb: Pick<WandbSettings, "project" | "entity" | "way"> | null;
  };
  /** The same with its key, which is no setting. */
  readonly wandb: WandbSettings | null;
}

/** What a configuration with `wandb: true` says of W&B. */
export interface WandbSettings {
  readonly project: string | null;
  readonly entity: string | null;
  /** How numbers get there, where that is open: written into the script, or forwarded from the log. */
  readonly way: "script" | "forward";
  /** Where `wandb: true` stands, for people, and in which file. */
  readonly source: string;
  readonly file: string | null;
  /** A `wandb_api_key` of the project's file; null: there is none. */
  readonly key: { readonly place: string; reveal(): string } | null;
}

export type TargetChoice = { readonly target: ChosenTarget } | { readonly trust: Untrusted };

export interface TargetPlace {
  readonly cwd: string;
  /** null: none was named. */
  readonly wanted: string | null;
}

/**
 * The target for a run, or the lines that must be trusted first. `isEntered: false`: its environment is left alone, so
 * that on this machine no line is run. `mayRent`: it may stand for a machine that is still to be rented.
 * @throws target_ambiguous, target_missing (a terminal asks then), target_unknown, config_bad, file_unreadable
 */
export async function chooseTargetFor(
  desk: Pick<Desk, "home"> & AccountDesk,
  place: TargetPlace,
  { isEntered = true, mayRent = false }: { isEntered?: boolean; mayRent?: boolean } = {},
): Promise<TargetChoice> {
  const config = await loadConfigFor(desk, place.cwd);
  const section = findSection(config, place.wanted);
  if (!isEntered && section.kind === "local") return { target: makeChosen(config, section, true) };
  const isHostKnown = await needsNoTrust(desk, section);
  const untrusted = removeTrusted(
    loadTrust(desk.home.trust),
    listUntrusted(section, { isHostKnown, place: config }),
  );
  if (untrusted.lines.length > 0) return { trust: untrusted };
  const target = makeChosen(config, section, isHostKnown);
  if (section.kind !== "vast") return { target };
  const { findInstance } = await import("./rent/find-instance.ts"); // few targets have a vendor
  return { target: await findInstance(desk, target, { mayRent }) };
}

/** The hash of a target's section as it is now; null when it cannot be found or used any more. */
export async function hashTargetNow(desk: Desk, place: TargetPlace): Promise<string | null> {
  const config = await loadConfigFor(desk, place.cwd);
  try {
    return makeChosen(config, findSection(config, place.wanted), true).hash;
  } catch {
    return null; // renamed, removed or broken: in any case not what it was
  }
}

export function loadConfigFor(desk: Pick<Desk, "env">, cwd: string): Promise<Config> {
  return loadConfig({ cwd, env: desk.env, home: findPersonalHome(desk.env) });
}

function findSection(config: Config, wanted: string | null): TargetSection {
  const choice = chooseTarget(config, wanted ?? undefined);
  if (choice.target === null) throw makeChoiceError(config, choice.choices);
  checkTarget(config, choice.target);
  return choice.target;
}

function makeChosen(config: Config, section: TargetSection, isHostKnown: boolean): ChosenTarget {
  const request = { target: section };
  const wandb = findWandb(config, section);
  const settings = {
    jobDir: resolveSetting(config, "job_dir", request).value,
    freeMemoryMiB: resolveSetting(config, "free_memory_mib", request).value,
    graceS: resolveSetting(config, "grace", request).value,
    timeoutS: resolveSetting(config, "timeout", request).value,
    results: resolveSetting(config, "results", request).value,
    resultsHome: section.kind === "local" ? config.home : null,
    resultsTo: resolveSetting(config, "results_to", request).value,
    codeDir: findCodeDir(config, section),
    wandb: wandb && { project: wandb.project, entity: wandb.entity, way: wandb.way },
    freeze: resolveSetting(config, "freeze", request),
    metricPattern: resolveSetting(config, "metric_pattern", request),
    silentAfterS: resolveSetting(config, "silent_after", request).value,
    codeSync: resolveSetting(config, "code_sync", request).value,
    syncInclude: resolveSetting(config, "sync_include", request).value,
    syncExclude: resolveSetting(config, "sync_exclude", request).value,
    envSpec: resolveSetting(config, "env_spec", request).value,
    envLedger: resolveSetting(config, "env_ledger", request).value,
    envDir: resolveSetting(config, "env_dir", request).value,
  };
  const isRemote = section.kind !== "local" && section.kind !== "vast" && section.ssh !== undefined;
  return {
    ...{
      section,
      settings,
      wandb,
      footprint: config.footprint,
      hash: hashMeaning(config, section, settings),
    },
    instance: null,
    // A key that was trusted before it was known is kept at its first use.
    ssh: isRemote ? { ...(section.ssh as SshAddress), pinsKeys: !isHostKnown } : null,
    projectFolder: section.source.file === null ? config.cwd : dirname(section.source.file),
  };
}

function findWandb(config: Config, section: TargetSection): WandbSettings | null {
  const request = { target: section };
  const { value, source } = resolveSetting(config, "wandb", request);
  if (!value) return null;
  const [first, last] = section.lines;
  const keys = config.secrets.filter(({ name }) => name === "wandb_api_key");
  const key =
    keys.find(({ file, line }) => file === section.source.file && line >= first && line <= last) ?? keys[0];
  return {
    project: resolveSetting(config, "wandb_project", request).value,
    entity: resolveSetting(config, "wandb_entity", request).value,
    way: resolveSetting(config, "wandb_way", request).value,
    source: source.text,
    file: source.from === "home" ? config.paths.config : (section.source.file ?? config.files[0] ?? null),
    key: key ? { place: `${basename(key.file)} line ${key.line}`, reveal: key.reveal } : null,
  };
}

/** Of the section and of the settings for it, wherever they stand; their lines make no difference. */
function hashMeaning(config: Config, section: TargetSection, settings: ChosenTarget["settings"]): string {
  const { freeze, metricPattern, ...others } = settings;
  const values = { ...others, freeze: freeze.value, metricPattern: metricPattern.value };
  return createHash("sha256")
    .update(hashSection(config, section))
    .update(JSON.stringify(values))
    .digest("hex");
}

function findCodeDir({ cwd, home }: Config, { kind, codeDir, source }: TargetSection): string | null {
  if (codeDir === undefined || kind !== "local") return null;
  return resolve(source.file === null ? cwd : dirname(source.file), codeDir.replace(/^~(?=\/|$)/, home));
}
