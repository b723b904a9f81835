import type { EnvironmentStatus } from "../../env/build/environment-status.ts";
import type { Tier } from "../../env/tiers/tier-record.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { changeRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import type { Plan } from "../plan.ts";
import { stopRun } from "../stop-run.ts";
import { listCodeFiles } from "./list-code-files.ts";
import { openEnvHost } from "./open-env-host.ts";
import { type EnvironmentNews, type Readied, type ReadyWish, readyEnvironment } from "./ready-environment.ts";
import { watchForStop } from "./watch-for-stop.ts";

export interface RunInPlan {
  readonly plan: Plan;
  /** UUIDs that the run may take, the first choice first. */
  readonly gpuCandidates: readonly string[];
  readonly status?: EnvironmentStatus | null;
  readonly onNews?: ((news: EnvironmentNews) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadyRun {
  /** With what its environment is entered by. */
  readonly run: RunRecord;
  /** Of the launch, those on which the environment is trusted. */
  readonly gpuCandidates: readonly string[];
}

/**
 * Makes the environment of a run ready as its plan says. `isParked`: it has no GPU yet, and what needs one is tried when it
 * has. null: the run was stopped meanwhile, as by the signal, and what was begun for it is called off. @throws as `readyEnvironment`
 */
export async function readyRun(
  desk: Desk,
  run: RunRecord,
  { plan, gpuCandidates, status = null, onNews, signal }: RunInPlan,
  { isParked = false }: { isParked?: boolean } = {},
): Promise<ReadyRun | null> {
  const { environment, gpus, remote = null, request } = plan.terms;
  const { contract = null } = environment;
  // The agents of a fleet start in one that was ready when they were planned.
  if (contract === null || run.seat) return { run, gpuCandidates };
  const count = typeof gpus.count === "number" ? gpus.count : 0;
  const { label, lines, shell, python } = environment;
  const own =
    contract.owner === "person"
      ? { activation: { label, lines, shell }, python: python?.path ?? null }
      : null;
  const wish: ReadyWish = {
    ...{ contract, runName: run.name, host: openEnvHost(desk, remote?.address ?? null), own, count },
    candidates: isParked || count === 0 ? null : gpuCandidates,
    tiers: contract.isUnverified ? [] : chooseTiers({ isParked, count }),
    ...{ given: request.envNames, status },
    codeFiles: () => listCodeFiles(desk, { id: plan.id, remote, contract, request }),
  };
  const readied = await readyUnlessStopped(desk, run.id, wish, { onNews, signal });
  if (readied === null) return null;
  const { interpreter } = readied.place;
  const changed = changeRun(desk.store, run.id, {
    environment: {
      ...{
        label: readied.activation.label,
        python: { path: interpreter.path, version: interpreter.version },
      },
      contract: { name: contract.name, hash: contract.hash, isUnverified: contract.isUnverified },
      entry: { lines: readied.activation.lines, shell: readied.activation.shell },
    },
  });
  const isChecked = !contract.isUnverified && !isParked && count > 0;
  return { run: changed, gpuCandidates: isChecked ? readied.trusted : gpuCandidates };
}

async function readyUnlessStopped(
  desk: Desk,
  runId: string,
  wish: ReadyWish,
  { onNews, signal: calledOff }: Pick<RunInPlan, "onNews" | "signal">,
): Promise<Readied | null> {
  const { signal: stopped, done } = watchForStop(desk, runId);
  const signal = calledOff ? AbortSignal.any([stopped, calledOff]) : stopped;
  try {
    return await readyEnvironment(desk, wish, { onNews, signal });
  } catch (fault) {
    if (!signal.aborted) throw fault;
    if (!stopped.aborted) await stopRun(desk, runId, { graceS: 0 });
    return null;
  } finally {
    done();
  }
}

function chooseTiers({ isParked, count }: { isParked: boolean; count: number }): readonly Tier[] {
  return isParked && count > 0 ? [1] : [1, 2, 3];
}
