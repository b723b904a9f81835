import type { EnvSpec } from "../env/spec/env-spec.ts";
import type { RunRequest } from "../runs/run-record.ts";
import type { Provenance } from "../sync/provenance.ts";
import type { Rewrite } from "../sync/rewrite.ts";
import type { Preflight } from "../targets/target.ts";
import type { ChosenTarget } from "./choose-target.ts";
import type { Desk } from "./desk.ts";
import { findObjects } from "./plan-variables.ts";
import { recordCode } from "./record-code.ts";
import { draftSync, type SyncDraft, type SyncWish } from "./remote/draft-sync.ts";
import type { PlannedWandb, WandbPlanner } from "./wandb/plan-wandb.ts";

export interface CodeWish {
  /** The plan's. */
  readonly id: string;
  readonly request: RunRequest;
  readonly chosen: ChosenTarget;
  readonly ownFiles: readonly string[];
  /** null: the run does not log to W&B. */
  readonly planner: WandbPlanner | null;
  /** Of an environment that Sortie builds; null: it is looked at on its host. */
  readonly spec: EnvSpec | null;
}

export interface CodeDraft {
  readonly preflight: Preflight;
  readonly code: Provenance;
  readonly sync: SyncDraft | null;
  readonly request: RunRequest;
  readonly wandb: PlannedWandb | null;
}

/** The code of a run, recorded and listed to be sent as it will be: what W&B needs written into it, its host's answer decides. */
export async function draftCode(desk: Desk, wish: CodeWish, asked: Promise<Preflight>): Promise<CodeDraft> {
  const { planner, spec, chosen } = wish;
  if (planner === null) return record(desk, wish, asked, null);
  const { wandb: found, environment } = await asked;
  const facts = found ?? null;
  const pythonHere = chosen.ssh === null ? (environment?.python?.path ?? null) : null;
  const draft = await record(desk, wish, asked, planner.decide(facts, { spec, pythonHere, mayWrite: true }));
  const rewrite = draft.wandb?.rewrite ?? null;
  if (rewrite === null || isBrought(draft.sync, rewrite)) return draft;
  // A change of a file that stays at home would do nothing there.
  return record(desk, wish, asked, planner.decide(facts, { spec, pythonHere, mayWrite: false }));
}

async function record(
  desk: Desk,
  { id, request: wished, chosen, ownFiles }: CodeWish,
  asked: Promise<Preflight>,
  wandb: PlannedWandb | null,
): Promise<CodeDraft> {
  const { request, rewrite } = wandb ?? { request: wished, rewrite: null };
  // All are waited for, so that none goes on writing after a fault of another.
  const [preflight, code, sync] = await Promise.allSettled([
    asked,
    recordCode(desk, request, { objectsDir: findObjects(desk, id), ownFiles, rewrite }),
    chosen.ssh === null ? null : draftSync(desk, request, { ...findSyncWish(chosen), rewrite }),
  ]);
  if (preflight.status === "rejected") throw preflight.reason;
  if (code.status === "rejected") throw code.reason;
  if (sync.status === "rejected") throw sync.reason;
  return { preflight: preflight.value, code: code.value, sync: sync.value, request, wandb };
}

export function findSyncWish({ projectFolder: source, settings }: ChosenTarget): SyncWish {
  const { codeSync: kind, syncInclude: include, syncExclude: exclude } = settings;
  return { kind, source, include, exclude };
}

/** Whether the file is among those that get to the host; on this machine it lies where it runs. */
function isBrought(sync: SyncDraft | null, { path }: Rewrite): boolean {
  if (sync === null) return true;
  const [root, files] =
    sync.kind === "git" ? [sync.home.root, sync.home.files] : [sync.send.source, sync.send.files];
  return files.some((file) => `${root}/${file.path}` === path);
}
