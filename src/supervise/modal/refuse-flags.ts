import { SortieError } from "../../base/error.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import type { RentFlags } from "../../targets/vast/needs.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { FoundApp } from "./find-app.ts";

/** They bound what a machine costs that is rented: nobody is to believe that they do so here. */
const FOR_MACHINES = ["max_price", "max_hours", "disk", "cuda", "gpu_count"] as const;
/** A Modal app says these itself. */
const FOR_SCRIPTS = ["gpu_name", "min_gpu_memory", "image"] as const;

/** What a flag asks for that a run at Modal would not do. @throws value_bad */
export function refuseFlags(
  app: Pick<FoundApp, "kind" | "app">,
  request: Pick<RunRequest, "gpu" | "gpus" | "timeoutS" | "freeze">,
  { flags, chosen }: { readonly flags: RentFlags; readonly chosen: ChosenTarget },
): void {
  const machine = FOR_MACHINES.find((key) => flags[key] !== undefined);
  const most = "Say how long with --timeout, and the most that it may cost with --max-cost.";
  if (machine !== undefined)
    throw refuse(nameFlag(machine), flags[machine], "it is for machines that are rented", most);
  const [number] = request.gpu;
  const type = "Say which type with --gpu-name, how many with --gpus N, or --gpus none.";
  if (number !== undefined) throw refuse("--gpu", number, "Modal has no GPUs by number", type);
  if (request.freeze)
    throw refuse("--freeze", "on", "every run at Modal starts in a copy of its own", "Leave it out.");
  if (app.kind === "launcher") return;
  const reason = `${app.app} is a Modal app, and says that itself`;
  const advice = `Change it in ${app.app}.`;
  const own = FOR_SCRIPTS.find((key) => flags[key] !== undefined);
  if (own !== undefined) throw refuse(nameFlag(own), flags[own], reason, advice);
  if (request.gpus !== "default") throw refuse("--gpus", request.gpus, reason, advice);
  const { timeoutS } = request;
  if (timeoutS !== null && timeoutS !== chosen.settings.timeoutS)
    throw refuse("--timeout", timeoutS, reason, advice);
}

function nameFlag(key: string): string {
  return `--${key.replaceAll("_", "-")}`;
}

function refuse(what: string, value: unknown, reason: string, advice: string): SortieError {
  return new SortieError("value_bad", { what, value: String(value), reason, advice });
}
