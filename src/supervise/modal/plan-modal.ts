import { SortieError } from "../../base/error.ts";
import { makeId } from "../../base/ids.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import { makeLauncher } from "../../targets/modal/launcher/make-launcher.ts";
import type { ModalPrices } from "../../targets/modal/prices.ts";
import type { RentFlags } from "../../targets/vast/needs.ts";
import type { ChosenTarget, TargetPlace } from "../choose-target.ts";
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
import { type FoundApp, findApp, type OwnApp, type PlainScript } from "./find-app.ts";
import { findImage } from "./find-image.ts";
import {
  chooseResources,
  findCap,
  findCost,
  findOptions,
  hashText,
  type Resources,
  readResources,
} from "./find-terms.ts";
import { listLeftOut } from "./list-left-out.ts";
import { loadPrices } from "./load-prices.ts";
import type { ModalStates, ModalTerms } from "./modal-terms.ts";
import { refuseStanding } from "./refuse-standing.ts";

export interface ModalWanted {
  readonly place: TargetPlace;
  readonly variables: Readonly<Record<string, string>>;
  readonly flags: RentFlags;
}

interface Wanted extends ModalWanted {
  readonly request: RunRequest;
  readonly chosen: ChosenTarget;
  readonly prices: ModalPrices;
  readonly runId: string;
}

/** What is known of the app before Modal is asked. */
type Draft = Omit<ModalTerms, "workspace" | "cap" | "cost" | "runId"> &
  Pick<Resources, "notes"> & {
    /** null: it is an own app. */
    readonly launcher: string | null;
    readonly places: { readonly secrets: string; readonly volumes: string };
    /** Volumes that must be there before. */
    readonly wantedVolumes: readonly string[];
  };

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
  const whole = { ...wanted, request, chosen, prices: loadPrices(desk), runId: makeId("r") };
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
  const modal: ModalTerms = { ...terms, runId, cost, workspace: account.value, cap: cap.value };
  return desk.store.together(() => {
    const found = {
      ...{ name: chooseName(desk, request), request, chosen, modal, ownFiles, code: code.value },
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
    const notes = [...limits, ...describeNotes(planned, { modal, prices, now: desk.clock.now(), variables })];
    const plan = savePlan(desk, { id, terms: planned, restsOn, notes });
    if (launcher !== null) keepFile(desk, id, "launcher", Buffer.from(launcher));
    saveVariables(desk, id, variables);
    return plan;
  });
}

const BARE = { python: null, interpreter: null };

async function draftApp(desk: Desk, wanted: Wanted): Promise<Draft> {
  const { request, chosen } = wanted;
  const app = await findApp(chosen, request);
  return app.kind === "own app" ? draftOwnApp(app, chosen) : draftLauncher(desk, app, wanted);
}

function draftOwnApp(app: OwnApp, chosen: ChosenTarget): Draft {
  const { volume, function: named, secrets: wished } = findOptions(chosen);
  const { entry, functions } = app.start;
  const volumes = [...new Set(functions.flatMap((one) => one.volumes))];
  const isLocal = !functions.some((one) => one.name === entry.name);
  if (volumes.length === 0 && volume === null && !isLocal)
    throw new SortieError("modal_volume_open", { target: chosen.section.name });
  const secrets = [...new Set([...functions.flatMap((one) => one.secrets), ...wished])];
  const state = hashText(app.text);
  return {
    ...{ app: app.app, kind: app.kind, function: entry.name, args: app.args, takes: entry.takes },
    ...readResources(app, chosen),
    ...{ volumes, secrets, image: `as ${app.app} says`, launcherHash: null, launcher: null },
    wantedVolumes: volumes.filter((name) => !isMadeByApp(app, name)),
    places: { secrets: `${app.app} or modal_secrets`, volumes: app.app },
    states: makeStates(app, named, state),
  };
}

/** `Volume.from_name("x", create_if_missing=True)` */
function isMadeByApp({ text }: FoundApp, volume: string): boolean {
  const calls = text.match(/Volume\.from_name\([^)]*\)/g) ?? [];
  return calls.some((call) => call.includes(volume) && /create_if_missing\s*=\s*True/.test(call));
}

/** Everything that its errors may be about stands in the app's own file. */
function makeStates({ app }: OwnApp, named: string | null, state: string): ModalStates {
  const all = { modal_secrets: state, modal_volume: state, modal_gpu: state, modal_timeout: state };
  return {
    ...all,
    modal_app: `${app} ${state}`,
    modal_function: named ?? "",
    image: state,
    requirements: state,
    env_spec: state,
  };
}

async function draftLauncher(desk: Desk, script: PlainScript, wanted: Wanted): Promise<Draft> {
  const { request, chosen, runId } = wanted;
  const { volume, secrets, function: named } = findOptions(chosen);
  const resources = chooseResources(request, chosen, wanted);
  const environment = request.environment ?? null;
  const { image, words, states } = await findImage(chosen, script, { cwd: request.cwd, environment });
  if (volume === null) throw new SortieError("modal_volume_open", { target: chosen.section.name });
  const launcher = makeLauncher({
    ...{ runId, command: script.command, codeDir: request.cwd, image, volume, secrets },
    leftOut: await listLeftOut(desk, request, chosen),
    gpus: resources.gpus as readonly string[],
    timeoutS: resources.timeoutS as number,
    envNames: request.envNames,
    results: request.results.filter((pattern) => !/^[~/]/.test(pattern)),
  });
  return {
    ...{ app: script.app, kind: script.kind, function: null, args: [], takes: "any" },
    ...resources,
    ...{ volumes: [volume], secrets, image: words, launcherHash: hashText(launcher), launcher },
    wantedVolumes: [volume],
    places: { secrets: "modal_secrets", volumes: "modal_volume" },
    states: {
      ...states,
      ...{ modal_secrets: secrets.join(), modal_volume: volume, modal_gpu: String(resources.gpus) },
      ...{
        modal_timeout: String(resources.timeoutS),
        modal_app: hashText(script.text),
        modal_function: named ?? "",
      },
    },
  };
}
