import { makeId } from "../../base/ids.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { estimateDuration } from "../estimate-duration.ts";
import { forgetPlans } from "../forget-plans.ts";
import { nameHost } from "../host-name.ts";
import { makePlanId, type Plan, savePlan } from "../plan.ts";
import { checkFolder, chooseName } from "../plan-run.ts";
import { makePredicates, makeTerms } from "../plan-terms.ts";
import { findObjects, keepFile, saveVariables } from "../plan-variables.ts";
import { findOwnFiles, recordCode } from "../record-code.ts";
import { settleRuns } from "../settle-runs.ts";
import { sweepPlans } from "../sweep-plans.ts";
import { checkAccount, openModal } from "./check-account.ts";
import { describeNotes } from "./describe-notes.ts";
import { draftApp, type ModalWanted, type Wanted } from "./draft-app.ts";
import { findCap, findCost } from "./find-terms.ts";
import { loadPrices } from "./load-prices.ts";
import type { ModalTerms } from "./modal-terms.ts";
import { refuseStanding } from "./refuse-standing.ts";
import { makeWandbVariables } from "./wandb-variables.ts";

/** Modal leaves a container 30 s, and is asked whether it has stopped. */
const STOP_S = 60;

/**
 * The plan of a run on Modal. All that it needs there is looked for before anything is billed, and nothing that is missing is
 * replaced by this machine. @throws modal_app_missing, modal_image_open, modal_secret_missing, modal_fault_stands and its like
 */
export async function planModal(
  desk: Desk,
  request: RunRequest,
  chosen: ChosenTarget,
  wanted: ModalWanted,
): Promise<Plan> {
  checkFolder(request.cwd);
  await settleRuns(desk, ({ name }) => name === request.name);
  sweepPlans(desk);
  chooseName(desk, request); // refused before anything is asked
  const id = makePlanId();
  const patient = { ...request, graceS: Math.max(request.graceS, STOP_S) };
  const whole = { ...wanted, request: patient, chosen, prices: loadPrices(desk), runId: makeId("r") };
  try {
    return await keepPlan(desk, id, whole);
  } catch (fault) {
    forgetPlans(desk, [id]); // a plan that nobody can confirm leaves nothing
    throw fault;
  }
}

async function keepPlan(desk: Desk, id: string, wanted: Wanted): Promise<Plan> {
  const { request, chosen, prices, runId, variables } = wanted;
  const draft = await draftApp(desk, wanted);
  refuseStanding(desk, { request, chosen, states: draft.states });
  const ownFiles = findOwnFiles();
  const needs = { secrets: draft.secrets, volumes: draft.wantedVolumes, places: draft.places };
  // All are waited for, so that none goes on writing after a fault of another.
  const [account, code, cap] = await Promise.allSettled([
    checkAccount(openModal(desk, request.cwd), needs),
    recordCode(desk, request, { objectsDir: findObjects(desk, id), ownFiles }),
    findCap(desk, chosen, wanted),
  ]);
  if (cap.status === "rejected") throw cap.reason;
  if (account.status === "rejected") throw account.reason;
  if (code.status === "rejected") throw code.reason;
  const { launcher, notes: limits, places: _, wantedVolumes, ...terms } = draft;
  const cost = findCost(draft, draft.kind, prices);
  return desk.store.together(() => {
    const name = chooseName(desk, request);
    const modal: ModalTerms = {
      ...{ ...terms, runId, cost, workspace: account.value, cap: cap.value },
      variables: draft.kind === "launcher" ? makeWandbVariables(chosen.wandb, { runId, name }) : {},
    };
    const found = {
      ...{ name, request, chosen, modal, ownFiles, code: code.value },
      ...{ host: nameHost(desk, desk.runner), jobDir: chosen.settings.jobDir ?? desk.home.jobs },
      environment: {
        activation: { label: `at Modal: ${draft.image}`, lines: [], shell: "sh" as const },
        ...BARE,
      },
      ...{ contract: null, remote: null, wandb: null, inputs: [] },
      gpus: { choice: { gpus: [], candidates: [], why: "none of this machine" }, busy: null },
      expected: estimateDuration(desk, request),
    };
    const planned = makeTerms(found);
    const restsOn = [
      ...makePredicates(planned, found),
      { kind: "modal" as const, ...needs, volumes: wantedVolumes },
    ];
    const given = { modal, prices, now: desk.clock.now(), variables, wandb: chosen.wandb };
    const notes = [...limits, ...describeNotes(planned, given)];
    const plan = savePlan(desk, { id, terms: planned, restsOn, notes });
    if (launcher !== null) keepFile(desk, id, "launcher", Buffer.from(launcher));
    saveVariables(desk, id, variables);
    return plan;
  });
}

const BARE = { python: null, interpreter: null };
