import { SortieError } from "../base/error.ts";
import { checkGpus } from "../gpus/check-gpus.ts";
import { chooseGpus } from "../gpus/choose-gpus.ts";
import type { GpuReport } from "../gpus/gpu-report.ts";
import { listCandidates } from "../gpus/list-candidates.ts";
import type { RunRequest } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";
import type { Plan } from "./plan.ts";
import { reserveForWaiting } from "./reserve-gpus.ts";

export interface CheckedGpus {
  /** UUIDs that the run may take, the first choice first. */
  readonly candidates: readonly string[];
  /** Why the run must wait for a GPU first; null: it can start now. */
  readonly waitingFor: string | null;
  /** What no longer holds, a clause for people; null: all does. */
  readonly change: string | null;
}

const NOTHING: CheckedGpus = { candidates: [], waitingFor: null, change: null };

/** Whether the GPUs of the host matter to a plan. */
export function restsOnGpus({ terms: { gpus }, restsOn }: Plan): boolean {
  return restsOn.some((rest) => rest.kind === "gpus") || (gpus.count !== 0 && gpus.count !== "none");
}

/**
 * Checks the GPUs that a plan rests on, and finds those that its run may take now.
 * @param seen the host's GPUs; null: none matters to the plan
 * @throws gpus_busy, gpus_unfit for a plan that was made in this very moment: it never held
 */
export function checkGpuTerms(
  desk: Desk,
  { terms, restsOn }: Plan,
  seen: GpuReport | null,
  { justMade }: { justMade: boolean },
): CheckedGpus {
  if (seen === null) return NOTHING;
  const { request, gpus, target } = terms;
  const predicates = restsOn.flatMap((rest) => (rest.kind === "gpus" ? [rest.gpus] : []));
  const report = reserveForWaiting(desk, seen, target.host);
  if (predicates.length === 0) return chooseNow(report, request); // they were busy
  const changes = predicates.flatMap((predicate) => checkGpus(report, predicate) ?? []);
  if (changes.length === 0)
    return { ...NOTHING, candidates: listCandidates(report, predicates, gpus.preferred) };
  const change = changes.join("; ");
  if (request.waitGpuS !== null) return { ...NOTHING, waitingFor: change };
  if (justMade) choose(report, request);
  return { ...NOTHING, change };
}

/** The plan is one to wait: any GPU that the request allows will do. */
function chooseNow(report: GpuReport, request: RunRequest): CheckedGpus {
  try {
    const choice = choose(report, request);
    return {
      ...NOTHING,
      candidates: [...choice.gpus, ...choice.candidates].flatMap(({ uuid }) => uuid ?? []),
    };
  } catch (fault) {
    if (!(fault instanceof SortieError)) throw fault;
    const isBusy = fault.code === "gpus_busy";
    return isBusy ? { ...NOTHING, waitingFor: fault.message } : { ...NOTHING, change: fault.message };
  }
}

function choose(report: GpuReport, request: RunRequest) {
  return chooseGpus(report, { count: request.gpus, gpu: request.gpu });
}
