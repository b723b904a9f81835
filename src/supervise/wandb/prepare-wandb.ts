import { relative } from "node:path";
import { SortieError } from "../../base/error.ts";
import { isProjectFile, listProjectFolders } from "../../config/project-folders.ts";
import { findPersonalHome } from "../../disk/home.ts";
import type { EnvSpec } from "../../env/spec/env-spec.ts";
import type { WandbFacts, WandbQuestion } from "../../env/wandb/probe-wandb.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import { isGeneratedFile } from "../../sync/generated-files.ts";
import type { Rewrite } from "../../sync/rewrite.ts";
import type { ChosenTarget, WandbSettings } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { draftScript, nameScript, readScriptFile, type ScriptDraft } from "./draft-script.ts";
import { findScript } from "./find-script.ts";
import { chooseUrl } from "./server-address.ts";

/** What is known at home of W&B for a run, before its host is asked. */
export interface WandbDraft {
  readonly settings: WandbSettings;
  readonly request: RunRequest;
  /** What a person gives, with --env or, on this machine, in the environment of the call. */
  readonly given: Readonly<Record<string, string | undefined>>;
  readonly isRemote: boolean;
  readonly url: string;
  /** Where a key to bring along would come from; null: there is none. */
  readonly key: "flag" | "caller" | "file" | null;
  /** How its numbers are to get to W&B where that is open. */
  readonly way: "script" | "forward";
  /** null: the command names no Python script of the project. */
  readonly script: ScriptDraft | null;
}

type Variables = Readonly<Record<string, string>>;

/** Looks at the script of a run and at what is set for W&B. @throws wandb_project_missing */
export async function prepareWandb(
  desk: Pick<Desk, "env">,
  { request, chosen, variables }: { request: RunRequest; chosen: ChosenTarget; variables: Variables },
): Promise<WandbDraft> {
  const settings = chosen.wandb as WandbSettings;
  const isRemote = chosen.ssh !== null;
  const given = isRemote ? variables : { ...desk.env, ...variables };
  if (settings.project === null && !given["WANDB_PROJECT"]) {
    const { source, file } = settings;
    throw new SortieError("wandb_project_missing", { source, file: file ?? "AGENTS.md" });
  }
  return {
    ...{ settings, request, given, isRemote },
    url: chooseUrl(given["WANDB_BASE_URL"] ?? desk.env["WANDB_BASE_URL"]),
    key: findKeyPlace(desk, { variables, settings }),
    way: request.wandbWay ?? settings.way,
    script: await draftFor(desk, request, chosen),
  };
}

function findKeyPlace(
  desk: Pick<Desk, "env">,
  { variables, settings }: { variables: Variables; settings: WandbSettings },
): WandbDraft["key"] {
  if (variables["WANDB_API_KEY"]) return "flag";
  if (desk.env["WANDB_API_KEY"]) return "caller";
  return settings.key === null ? null : "file";
}

/** What its host is to be asked. */
export function makeWandbQuestion({ url, key }: WandbDraft): WandbQuestion {
  return { url, isKeyBrought: key !== null };
}

async function draftFor(
  desk: Pick<Desk, "env">,
  { command, cwd }: RunRequest,
  { section }: ChosenTarget,
): Promise<ScriptDraft | null> {
  const path = findScript(command, cwd);
  if (path === null) return null;
  const home = findPersonalHome(desk.env);
  const folders = listProjectFolders({ cwd, home }, section.source.file);
  try {
    const { file } = readScriptFile(path);
    const name = nameScript(file, cwd);
    if (isGeneratedFile(name) || !isProjectFile(file, folders, home))
      return { kind: "refused", name, reason: "it is no file of the project", line: null };
    return await draftScript(file, cwd);
  } catch (fault) {
    if (!(fault instanceof SortieError) || fault.code !== "wandb_script_unreadable") throw fault;
    // A folder that Python runs, for instance: the run goes on without a change.
    return {
      kind: "refused",
      name: relative(cwd, path),
      reason: String(fault.details["reason"]),
      line: null,
    };
  }
}

/** What the host's answer makes of it: the file as it will be; null: none is changed, and why. */
export function chooseRewrite(
  { script }: WandbDraft,
  facts: WandbFacts | null,
  spec: EnvSpec | null,
): { readonly rewrite: Rewrite | null; readonly isMissing: boolean } {
  const isMissing = spec === null ? facts?.version == null : !isSpecified(spec);
  const isChange = script?.kind === "change" && !isMissing;
  return { rewrite: isChange ? { path: script.terms.file, bytes: script.bytes } : null, isMissing };
}

function isSpecified({ pipPhases }: EnvSpec): boolean {
  return pipPhases.flat().some((word) => /^wandb(?![\w.-])/i.test(word));
}
