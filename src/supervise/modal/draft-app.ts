import { SortieError } from "../../base/error.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import { makeLauncher } from "../../targets/modal/launcher/make-launcher.ts";
import type { ModalPrices } from "../../targets/modal/prices.ts";
import type { RentFlags } from "../../targets/vast/needs.ts";
import type { ChosenTarget, TargetPlace } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { draftSent, isInside } from "./draft-sent.ts";
import { type FoundApp, findApp, type OwnApp, type PlainScript } from "./find-app.ts";
import { findImage } from "./find-image.ts";
import { chooseResources, findOptions, hashText, type Resources, readResources } from "./find-terms.ts";
import type { ModalStates, ModalTerms } from "./modal-terms.ts";
import { refuseFlags } from "./refuse-flags.ts";
import { makeWandbVariables } from "./wandb-variables.ts";

export interface ModalWanted {
  readonly place: TargetPlace;
  readonly variables: Readonly<Record<string, string>>;
  readonly flags: RentFlags;
}

export interface Wanted extends ModalWanted {
  readonly request: RunRequest;
  readonly chosen: ChosenTarget;
  readonly prices: ModalPrices;
  readonly runId: string;
}

/** What is known of the app before Modal is asked. */
export type Draft = Omit<ModalTerms, "workspace" | "cap" | "cost" | "runId" | "variables"> &
  Pick<Resources, "notes"> & {
    /** null: it is an own app. */
    readonly launcher: string | null;
    readonly places: { readonly secrets: string; readonly volumes: string };
    /** Volumes that must be there before. */
    readonly wantedVolumes: readonly string[];
  };

/** @throws modal_app_missing, modal_app_unclear, modal_image_open, modal_volume_open, modal_gpu_unknown and its like */
export async function draftApp(desk: Desk, wanted: Wanted): Promise<Draft> {
  const { request, chosen } = wanted;
  const app = await findApp(chosen, request);
  refuseFlags(app, request, wanted);
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
    ...{ volumes, secrets, image: `as ${app.app} says`, launcherHash: null, launcher: null, sent: null },
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
  return {
    ...{ modal_app: `${app} ${state}`, modal_function: named ?? "" },
    ...{ modal_secrets: state, modal_volume: state, modal_gpu: state, modal_timeout: state },
    ...{ image: state, requirements: state, env_spec: state },
  };
}

async function draftLauncher(desk: Desk, script: PlainScript, wanted: Wanted): Promise<Draft> {
  const { request, chosen, runId } = wanted;
  const { volume, secrets, function: named } = findOptions(chosen);
  const resources = chooseResources(request, chosen, wanted);
  const environment = request.environment ?? null;
  const { image, words, states } = await findImage(chosen, script, {
    ...{ cwd: request.cwd, environment, image: wanted.flags.image ?? null },
  });
  if (volume === null) throw new SortieError("modal_volume_open", { target: chosen.section.name });
  const sent = await draftSent(desk, request, chosen);
  const launcher = makeLauncher({
    ...{ runId, command: script.command, codeDir: request.cwd, image, volume, secrets },
    leftOut: sent.leftOut,
    gpus: resources.gpus as readonly string[],
    timeoutS: resources.timeoutS as number,
    envNames: [...request.envNames, ...Object.keys(makeWandbVariables(chosen.wandb, { runId, name: "" }))],
    results: request.results.filter(isInside),
  });
  return {
    ...{ app: script.app, kind: script.kind, function: null, args: [], takes: "any" },
    ...resources,
    ...{
      volumes: [volume],
      secrets,
      image: words,
      launcherHash: hashText(launcher),
      launcher,
      sent: sent.summary,
    },
    wantedVolumes: [volume],
    places: { secrets: "modal_secrets", volumes: "modal_volume" },
    states: {
      ...states,
      ...{ modal_app: hashText(script.text), modal_function: named ?? "" },
      ...{ modal_secrets: secrets.join(), modal_volume: volume },
      ...{ modal_gpu: String(resources.gpus), modal_timeout: String(resources.timeoutS) },
    },
  };
}
