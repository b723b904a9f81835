import { createHash } from "node:crypto";
import { SortieError } from "../../base/error.ts";
import { resolveSetting } from "../../config/settings.ts";
import type { ModalOptions } from "../../config/target.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import { type ModalGpu, parseGpu, parseGpus } from "../../targets/modal/gpu-name.ts";
import { DEFAULT_TIMEOUT_S, limitTimeout, SAVING_S } from "../../targets/modal/modal-wish.ts";
import { estimateCost, findCheapestGpu, type ModalPrices } from "../../targets/modal/prices.ts";
import type { RentFlags } from "../../targets/vast/needs.ts";
import { type ChosenTarget, loadConfigFor, type TargetPlace } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import type { OwnApp } from "./find-app.ts";
import type { ModalCap, ModalCost, ModalTerms } from "./modal-terms.ts";

/** What a run gets at Modal, and for how long. */
export interface Resources extends Pick<ModalTerms, "gpus" | "gpuSource" | "timeoutS"> {
  /** What is to be said of the time limit, for people. */
  readonly notes: readonly string[];
}

const NONE: ModalOptions = {
  app: null,
  function: null,
  gpu: null,
  timeoutS: null,
  volume: null,
  secrets: [],
};

export function findOptions({ section }: ChosenTarget): ModalOptions {
  return section.modal ?? NONE;
}

/** Of a plain script: flags go before the section; without a GPU in either the cheapest is assumed. @throws modal_gpu_unknown, value_bad */
export function chooseResources(
  request: RunRequest,
  chosen: ChosenTarget,
  { flags, prices }: { readonly flags: RentFlags; readonly prices: ModalPrices },
): Resources {
  const { timeoutS, note } = limitTimeout(chooseTimeout(request, chosen));
  const notes = note === null ? [] : [note];
  if (request.gpus === "none") return { gpus: [], gpuSource: "none, as asked", timeoutS, notes };
  const named = flags.gpu_name ?? findOptions(chosen).gpu;
  const count = typeof request.gpus === "number" ? request.gpus : 1;
  if (named !== null) {
    const gpus = parseGpus(named).map((gpu) =>
      gpu.count === 1 && count > 1 ? multiply(gpu, count) : gpu.wish,
    );
    return { gpus, gpuSource: flags.gpu_name === undefined ? "modal_gpu" : "--gpu-name", timeoutS, notes };
  }
  const cheapest = findCheapestGpu(readMemoryGib(flags.min_gpu_memory), prices);
  if (cheapest === null)
    throw new SortieError("modal_gpu_unknown", {
      gpu: `with ${flags.min_gpu_memory}`,
      suggestion: "",
      known: [],
    });
  const fitting = flags.min_gpu_memory === undefined ? "" : ` with ${flags.min_gpu_memory}`;
  const gpuSource = `assumed: no modal_gpu is set, and it is the cheapest${fitting}`;
  return { gpus: [multiply(cheapest, count)], gpuSource, timeoutS, notes };
}

/** What an app of its own says, and where it cannot be read what the section says of it. */
export function readResources({ start, app }: OwnApp, chosen: ChosenTarget): Resources {
  const { gpu, timeoutS: told } = findOptions(chosen);
  const { functions } = start;
  const isOpen = functions.some(({ gpus }) => gpus === "unknown");
  const read = [...new Set(functions.flatMap(({ gpus }) => (gpus === "unknown" ? [] : gpus)))];
  const gpus = !isOpen ? read : gpu === null ? "unknown" : parseGpus(gpu).map(({ wish }) => wish);
  const gpuSource = !isOpen ? `read from ${app}` : gpu === null ? `${app} chooses when it runs` : "modal_gpu";
  const limits = functions.map(({ timeoutS }) => timeoutS ?? DEFAULT_TIMEOUT_S);
  const known = limits.filter((limit) => limit !== "unknown");
  const isTold = known.length === limits.length && known.length > 0;
  const timeoutS = isTold ? Math.max(...known) : told;
  const isDefault = functions.some((one) => one.timeoutS === null);
  const notes = [
    ...(isDefault
      ? [`${app} sets no timeout: Modal's default of ${DEFAULT_TIMEOUT_S} s ends a function.`]
      : []),
    ...(timeoutS === null
      ? [`What time limit ${app} sets cannot be read: \`modal_timeout\` can say it.`]
      : []),
    ...(timeoutS === null ? [] : [limitTimeout(timeoutS).note].filter((note) => note !== null)),
  ];
  return { gpus, gpuSource, timeoutS, notes };
}

/** A flag, then `modal_timeout`, then the time limit of runs anywhere. */
function chooseTimeout({ timeoutS }: RunRequest, chosen: ChosenTarget): number | null {
  const usual = chosen.settings.timeoutS;
  return timeoutS !== usual ? timeoutS : (findOptions(chosen).timeoutS ?? usual);
}

function multiply({ type }: ModalGpu, count: number): string {
  return parseGpu(`${type}:${count}`).wish;
}

function readMemoryGib(text: string | undefined): number {
  if (text === undefined) return 0;
  const [, number, unit = "g"] = /^(\d+(?:\.\d+)?)\s*([gt])?i?b?$/i.exec(text.trim()) ?? [];
  if (number !== undefined) return Number(number) * (unit.toLowerCase() === "t" ? 1024 : 1);
  const advice = "Give it as 24G.";
  throw new SortieError("value_bad", {
    what: "--min-gpu-memory",
    value: text,
    reason: "it is no size",
    advice,
  });
}

/** null: it cannot be told. */
export function findCost(
  { gpus, timeoutS }: Pick<Resources, "gpus" | "timeoutS">,
  kind: ModalTerms["kind"],
  prices: ModalPrices,
): ModalCost | null {
  if (gpus === "unknown" || timeoutS === null) return null;
  const seconds = timeoutS + (kind === "launcher" ? SAVING_S : 0);
  return { seconds, ...estimateCost({ gpus: gpus.map(parseGpu), seconds }, prices) };
}

/** @throws value_bad: `--max-cost` is no amount */
export async function findCap(
  desk: Desk,
  { section }: ChosenTarget,
  { place, flags }: { readonly place: TargetPlace; readonly flags: RentFlags },
): Promise<ModalCap> {
  const config = await loadConfigFor(desk, place.cwd);
  const flag = flags.max_cost === undefined ? {} : { flag: flags.max_cost };
  const { value, source } = resolveSetting(config, "max_budget", { target: section, ...flag });
  return { dollars: value, source: source.from === "flag" ? "--max-cost" : source.text };
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
