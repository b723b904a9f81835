import { describeFault } from "../../base/error.ts";
import { loadSpec } from "../../env/spec/load-spec.ts";
import { type ActionOutcome, defineAction } from "../actions/action.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { makeTarget } from "../find-target.ts";
import { describeHost } from "../host-name.ts";
import { loadCode } from "../remote/load-code.ts";
import { nameContract } from "./contract-terms.ts";
import { readRequirements } from "./find-contract.ts";
import { followByAgent } from "./follow-by-agent.ts";
import { listCodeFiles } from "./list-code-files.ts";
import { openEnvHost } from "./open-env-host.ts";
import type { ReadyTerms, SpecCondition } from "./plan-ready.ts";
import { type Readied, readyEnvironment } from "./ready-environment.ts";

/** Carries out the plans of `sortie env build` and `sortie env verify`. */
export const action = defineAction<ReadyTerms, SpecCondition>({
  async findChanges(_, { restsOn, terms }) {
    return restsOn.flatMap((condition) => findChange(condition, terms.contract.projectFolder) ?? []);
  },
  async execute(desk, terms, call, plan): Promise<ActionOutcome> {
    await bringCode(desk, plan, terms);
    const readied = await readyEnvironment(desk, makeWish(desk, plan, terms), {
      onNews: call.onNews,
      signal: call.signal,
    });
    const verdict = terms.agent
      ? await followByAgent(desk, { terms, readied, agent: terms.agent }, call)
      : null;
    return describe(terms, readied, verdict);
  },
});

function findChange({ file, hash, required }: SpecCondition, projectFolder: string): string | null {
  try {
    const loaded = loadSpec(file);
    if (loaded.hash !== hash)
      return `the specification ${file} has changed (it was ${hash}, it is ${loaded.hash})`;
    const isSame = readRequirements(loaded, projectFolder).hash === required;
    return isSame ? null : `the requirement files that ${file} names have changed`;
  } catch (fault) {
    return `the specification cannot be used any more: ${describeFault(fault)}`;
  }
}

async function bringCode(
  desk: Desk,
  { id }: ActionPlan,
  { kind, jobDir, remote, results }: ReadyTerms,
): Promise<void> {
  if (remote === null) return;
  const target = makeTarget(desk, { kind, remote }, { jobDir });
  await loadCode(desk, { id, remote, results }).bring(target, {});
}

function makeWish(desk: Desk, { id }: ActionPlan, terms: ReadyTerms) {
  const { contract, remote, own, candidates, tiers, again, documentTimeoutMs, results } = terms;
  const request = { cwd: contract.projectFolder, results };
  return {
    ...{ contract, own, candidates, tiers, again, count: candidates?.length ?? 0, given: [] },
    host: openEnvHost(desk, remote?.address ?? null),
    codeFiles: () => listCodeFiles(desk, { id, remote, contract, request }),
    ...(documentTimeoutMs === null ? {} : { documentTimeoutMs }),
  };
}

function describe(
  { contract, host }: ReadyTerms,
  { place, shown, due }: Readied,
  verdict: Awaited<ReturnType<typeof followByAgent>> | null,
): ActionOutcome {
  const name = nameContract(contract);
  const left = due.map(({ tier, why }) => `tier ${tier} is due: ${why}`);
  return {
    document: {
      environment: { name: contract.name, hash: contract.hash, host, path: place.environment },
      tiers: shown.map(({ tier, card, state, message }) => ({
        tier,
        gpu: card?.uuid ?? null,
        state,
        message,
      })),
      due: due.map(({ tier, card, why }) => ({ tier, gpu: card?.uuid ?? null, why })),
      ...(verdict ? { agent: verdict } : {}),
    },
    words: [
      `${name} is ready on ${describeHost(host)}: ${place.environment}`,
      ...shown.map(({ tier, message }) => `  tier ${tier}    ${message}`),
      ...(verdict ? [`  agent     found no divergence; its report: ${verdict.file}`] : []),
      ...left.map((line) => `  ${line}; \`sortie env verify ${contract.name}\` tries it`),
    ],
  };
}
