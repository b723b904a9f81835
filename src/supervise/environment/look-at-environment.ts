import { SortieError } from "../../base/error.ts";
import type { EnvironmentStatus } from "../../env/build/environment-status.ts";
import type { GpuReport } from "../../gpus/gpu-report.ts";
import type { Preflight, Target } from "../../targets/target.ts";
import { chooseEnvironment } from "../choose-environment.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { findRunPlace, type RunPlace } from "../find-run-place.ts";
import { findAddressOf, makeTarget } from "../find-target.ts";
import { nameHost } from "../host-name.ts";
import { type Contract, findContract, makeContractQuestion } from "./find-contract.ts";

/** An environment under contract, and what its host has of it. */
export interface EnvironmentSight {
  readonly chosen: ChosenTarget;
  readonly contract: Contract;
  readonly target: Target;
  /** As records name it. */
  readonly host: string;
  readonly place: RunPlace;
  readonly preflight: Preflight;
  readonly status: EnvironmentStatus;
  /** null: they were not looked at. */
  readonly gpus: GpuReport | null;
}

/** Looks at the environment of a target, and changes nothing. @throws spec_missing, environment_missing, what keeps the host from answering */
export async function lookAtEnvironment(
  desk: Desk,
  chosen: ChosenTarget,
  { wanted, asksGpus }: { wanted: string | null; asksGpus: boolean },
): Promise<EnvironmentSight> {
  const contract = await findContract(desk, chosen, wanted);
  if (contract === null) {
    throw new SortieError("spec_missing", { wanted: `in ${chosen.projectFolder}`, known: "" });
  }
  const target = makeTarget(desk, findAddressOf(chosen), chosen.settings);
  const place = findRunPlace(desk, { cwd: chosen.projectFolder }, chosen);
  const isOwn = contract.owner === "person";
  const preflight = await target.preflight({
    ...{ ...place, command: [], inputs: [], gpus: asksGpus },
    environment: isOwn ? chooseEnvironment(chosen.section, { cwd: place.folder, home: place.home }) : null,
    contract: makeContractQuestion(contract, { asksCards: true }),
    asksGit: chosen.settings.codeSync === "git",
  });
  return {
    ...{ chosen, contract, target, host: nameHost(desk, target), place, preflight },
    ...{ status: preflight.contract as EnvironmentStatus, gpus: preflight.gpus },
  };
}
