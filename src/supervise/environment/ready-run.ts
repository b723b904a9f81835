import type { Tier } from "../../env/tiers/tier-record.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { changeRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import type { Plan } from "../plan.ts";
import { listCodeFiles } from "./list-code-files.ts";
import { openEnvHost } from "./open-env-host.ts";
import { type EnvironmentNews, readyEnvironment } from "./ready-environment.ts";

export interface RunInPlan {
  readonly plan: Plan;
  /** UUIDs that the run may take, the first choice first. */
  readonly gpuCandidates: readonly string[];
  readonly onNews?: ((news: EnvironmentNews) => void) | undefined;
}

export interface ReadyRun {
  /** With what its environment is entered by. */
  readonly run: RunRecord;
  /** Of the launch, those on which the environment is trusted. */
  readonly gpuCandidates: readonly string[];
}

/**
 * Makes the environment of a run ready as its plan says. `isParked`: it has no GPU yet, and what needs one is tried when it
 * has. @throws as `readyEnvironment`
 */
export async function readyRun(
  desk: Desk,
  run: RunRecord,
  { plan, gpuCandidates, onNews }: RunInPlan,
  { isParked = false }: { isParked?: boolean } = {},
): Promise<ReadyRun> {
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
  const readied = await readyEnvironment(
    desk,
    {
      ...{ contract, host: openEnvHost(desk, remote?.address ?? null), own, count },
      candidates: isParked || count === 0 ? null : gpuCandidates,
      tiers: contract.isUnverified ? [] : chooseTiers({ isParked, count }),
      given: request.envNames,
      codeFiles: () => listCodeFiles(desk, { id: plan.id, remote, contract, request }),
    },
    { onNews },
  );
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

function chooseTiers({ isParked, count }: { isParked: boolean; count: number }): readonly Tier[] {
  return isParked && count > 0 ? [1] : [1, 2, 3];
}
