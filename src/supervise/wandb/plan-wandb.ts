import type { EnvSpec } from "../../env/spec/env-spec.ts";
import type { WandbFacts, WandbQuestion } from "../../env/wandb/probe-wandb.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import type { Rewrite } from "../../sync/rewrite.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { describeWandb } from "./describe-wandb.ts";
import { chooseWay, findHomeLogin } from "./forward/choose-way.ts";
import { planForward } from "./forward/plan-forward.ts";
import { describeWithout, NO_FORWARDER } from "./forward/plan-without.ts";
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
  /** The Python of the run's environment, where that is on this machine. */
  readonly pythonHere: string | null;
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
  const { configFrom, cwd } = call.request;
  const login = await findHomeLogin(desk, draft.url, configFrom ?? cwd);
  return {
    question: makeWandbQuestion(draft),
    decide: (facts, ground) =>
      decide(desk, ground.mayWrite ? draft : leaveScript(draft), { ...ground, facts, login }),
  };
}

interface Decision extends Omit<WandbGround, "mayWrite"> {
  readonly facts: WandbFacts | null;
  /** Where a key lies on this machine. */
  readonly login: WandbTerms["login"];
}

function decide(
  desk: Pick<Desk, "env">,
  draft: WandbDraft,
  { facts, spec, pythonHere, login }: Decision,
): PlannedWandb {
  const settled = settleWandb(draft, facts);
  const { rewrite: wished, isMissing } = chooseRewrite(draft, facts, spec);
  const { way, isWanted, forwarder } = chooseWay(desk, draft, { isMissing, pythonHere });
  if (forwarder !== null) return planForward(draft, { settled, login, forwarder, isMissing });
  const rewrite = way === "script" ? wished : null;
  const change = rewrite !== null && draft.script?.kind === "change" ? draft.script.terms : null;
  return {
    request: addWandbResults(draft.request, settled, draft),
    rewrite,
    notes:
      way === "none"
        ? describeWithout(draft, { ...settled, isMissing })
        : [
            ...describeWandb(draft, settled, { isMissing, isSpecified: spec !== null }),
            ...(isWanted ? [NO_FORWARDER] : []),
          ],
    secrets: settled.carried.length === 0 ? {} : { WANDB_API_KEY: findKey(desk, draft) },
    makeTerms: (name) => ({
      ...settled,
      name: draft.given["WANDB_NAME"] || name,
      variables: makeVariables(draft, { ...settled, name }),
      ...{ change, way, forwarder: null },
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
