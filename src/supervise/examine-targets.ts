import { SortieError, toSortieError } from "../base/error.ts";
import type { Target as TargetSection } from "../config/target.ts";
import { findHome } from "../disk/home.ts";
import type { PreflightRequest, Target } from "../targets/target.ts";
import { chooseEnvironment } from "./choose-environment.ts";
import { type ChosenTarget, chooseTargetFor, loadConfigFor } from "./choose-target.ts";
import type { Environment } from "./desk.ts";
import { describeContractThere, examineSpec } from "./environment/examine-contract.ts";
import { type Contract, makeContractQuestion } from "./environment/find-contract.ts";
import { describeAnswer } from "./examine-server.ts";
import { findRemoteCodeDir } from "./find-run-place.ts";
import { findAddressOf, makeTarget } from "./find-target.ts";
import { type Finding, makeFinding } from "./finding.ts";
import { examineModal } from "./modal/examine-modal.ts";
import type { HostDesk } from "./remote/open-host.ts";
import { examineVast } from "./rent/examine-vast.ts";
import { isSilence } from "./silence.ts";

/** Every host over SSH that the project's files name, and vendors, asked all at once. What is wrong with one is a finding, no fault. */
export async function examineTargets({ env, cwd }: { env: Environment; cwd: string }): Promise<Finding[]> {
  const desk: HostDesk = { env, home: findHome(env), hosts: new Map() };
  let sections: readonly TargetSection[];
  try {
    const { targets } = await loadConfigFor(desk, cwd);
    sections = targets.filter(({ kind }) => kind === "ssh" || kind === "modal" || kind === "vast");
  } catch (fault) {
    return [makeFault("targets", fault)];
  }
  const found = await Promise.all(
    sections.map(async (section) => {
      const { name, kind } = section;
      if (kind === "modal") return examineModal(name, { env, cwd });
      return kind === "vast" ? examineVast(section, env) : examineTarget(desk, cwd, name);
    }),
  );
  return found.flat();
}

async function examineTarget(desk: HostDesk, cwd: string, name: string): Promise<Finding[]> {
  try {
    const choice = await chooseTargetFor(desk, { cwd, wanted: name });
    if ("trust" in choice) {
      const detail = `it was not asked: lines of ${choice.trust.file} must be trusted first`;
      return [makeFinding(name, "warning", detail, "Read them and trust them with `sortie trust`.")];
    }
    const target = makeTarget(desk, findAddressOf(choice.target), choice.target.settings);
    const { contract, findings } = await examineSpec(desk, choice.target);
    return [...(await askTarget(target, choice.target, contract)), ...findings];
  } catch (fault) {
    return [makeFault(name, fault)];
  }
}

/** A host whose environment is missing is asked again without it: the rest is worth knowing, too. */
async function askTarget(
  target: Target,
  chosen: ChosenTarget,
  contract: Contract | null,
): Promise<Finding[]> {
  const { name } = chosen.section;
  const request = makeRequest(chosen, contract);
  try {
    const answer = await target.preflight(request);
    const { contract: status } = answer;
    const there = contract && status ? [describeContractThere(name, { contract, status })] : [];
    return [...describeAnswer(answer, chosen), ...there];
  } catch (fault) {
    if (!(fault instanceof SortieError) || isSilence(fault)) throw fault;
    const answer = await target.preflight({ ...request, environment: null, contract: null });
    return [...describeAnswer(answer, chosen), makeFault(`${name} env`, fault)];
  }
}

function makeRequest({ section, settings }: ChosenTarget, contract: Contract | null): PreflightRequest {
  const { data = [], checkpoints = [], codeDir } = section;
  const folder = codeDir === undefined ? "~" : findRemoteCodeDir(section);
  return {
    ...{ folder, codeDir: folder, project: [folder], command: ["true"], gpus: true },
    environment: contract?.owner === "sortie" ? null : chooseEnvironment(section, { cwd: folder, home: "~" }),
    contract: contract && makeContractQuestion(contract, { asksCards: true }),
    inputs: [...data, ...checkpoints],
    asksGit: settings.codeSync === "git",
    asksVersions: true,
  };
}

function makeFault(what: string, fault: unknown): Finding {
  const { message, hint } = toSortieError(fault);
  return makeFinding(what, "bad", message, hint);
}
