import type { EnvSpec } from "../../env/spec/env-spec.ts";
import type { WandbFacts, WandbQuestion } from "../../env/wandb/probe-wandb.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import type { Rewrite } from "../../sync/rewrite.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { describeWandb } from "./describe-wandb.ts";
import { chooseRewrite, makeWandbQuestion, prepareWandb, type WandbDraft } from "./prepare-wandb.ts";
import { addWandbResults, makeVariables, settleWandb } from "./settle-wandb.ts";
import type { WandbTerms } from "./wandb-terms.ts";

/** What a plan asks and later decides about W&B; loaded where `wandb: true` is set, and nowhere else. */
export interface WandbPlanner {
  readonly question: WandbQuestion;
  decide(facts: WandbFacts | null, ground: WandbGround): PlannedWandb;
}

export interface WandbGround {
  /** Of an environment that Sortie builds; null: it was looked at on its host. */
  readonly spec: EnvSpec | null;
  /** false: the script does not get to the host. */
  readonly mayWrite: boolean;
}

export interface PlannedWandb {
  /** The request, with what an offline run leaves among its results. */
  readonly request: RunRequest;
  /** The script as it will be; null: no file is changed. */
  readonly rewrite: Rewrite | null;
  readonly notes: readonly string[];
  /** Values that travel in the run's private file, and are kept nowhere else. */
  readonly secrets: Readonly<Record<string, string>>;
  makeTerms(name: string): WandbTerms;
}

/** @throws wandb_project_missing, value_bad */
export async function openWandbPlanner(
  desk: Pick<Desk, "env">,
  call: {
    readonly request: RunRequest;
    readonly chosen: ChosenTarget;
    readonly variables: Readonly<Record<string, string>>;
  },
): Promise<WandbPlanner> {
  const draft = await prepareWandb(desk, call);
  return {
    question: makeWandbQuestion(draft),
    decide: (facts, ground) => decide(desk, ground.mayWrite ? draft : leaveScript(draft), facts, ground.spec),
  };
}

function decide(
  desk: Pick<Desk, "env">,
  draft: WandbDraft,
  facts: WandbFacts | null,
  spec: EnvSpec | null,
): PlannedWandb {
  const settled = settleWandb(draft, facts);
  const { rewrite, isMissing } = chooseRewrite(draft, facts, spec);
  const change = rewrite !== null && draft.script?.kind === "change" ? draft.script.terms : null;
  return {
    request: addWandbResults(draft.request, settled, draft),
    rewrite,
    notes: describeWandb(draft, settled, { isMissing, isSpecified: spec !== null }),
    secrets: settled.carried.length === 0 ? {} : { WANDB_API_KEY: findKey(desk, draft) },
    makeTerms: (name) => ({
      ...settled,
      name: draft.given["WANDB_NAME"] || name,
      variables: makeVariables(draft, { ...settled, name }),
      change,
    }),
  };
}

/** A change that would not reach the run. */
function leaveScript(draft: WandbDraft): WandbDraft {
  const { script } = draft;
  if (script?.kind !== "change") return draft;
  const { name } = script.terms;
  return { ...draft, script: { kind: "refused", name, reason: "it is not sent to the host", line: null } };
}

function findKey(desk: Pick<Desk, "env">, { key, settings }: WandbDraft): string {
  return (key === "caller" ? desk.env["WANDB_API_KEY"] : settings.key?.reveal()) ?? "";
}
