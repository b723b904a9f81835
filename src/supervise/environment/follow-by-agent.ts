import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeToken } from "../../base/ids.ts";
import { writeFileAtomic } from "../../disk/atomic-file.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { appendRecords } from "../../env/build/records.ts";
import { makeAgentPrompt } from "../../env/document/agent-prompt.ts";
import { type AgentVerdict, askAgent } from "../../env/document/ask-agent.ts";
import { findBlock, parseLedger } from "../../env/ledger/parse-ledger.ts";
import { makeTierRecord } from "../../env/tiers/make-tier-record.ts";
import type { Desk } from "../desk.ts";
import { explainTier } from "./explain-failure.ts";
import { openEnvHost } from "./open-env-host.ts";
import type { EnvironmentPlace } from "./plan-contract.ts";
import type { ReadyTerms } from "./plan-ready.ts";

const TIMEOUT_MS = 3600_000;

/** What an assistant has reported, and the file at home that keeps it. */
export interface KeptVerdict extends AgentVerdict {
  readonly file: string;
}

/**
 * Has a fresh assistant follow the document, which is tier 3 as well; its report is kept whatever it says.
 * @throws environment_unverified where it found a divergence, or gave no report
 */
export async function followByAgent(
  desk: Desk,
  { terms, place, agent }: { terms: ReadyTerms; place: EnvironmentPlace; agent: readonly string[] },
): Promise<KeptVerdict> {
  const { contract, remote, documentTimeoutMs } = terms;
  const host = openEnvHost(desk, remote?.address ?? null);
  const ledger = parseLedger(readFileSync(contract.ledger));
  const file = contract.document.commands[0]?.file ?? contract.ledger;
  const verdict = await askAgent(desk.runner, {
    command: agent,
    prompt: makeAgentPrompt({
      host: host.name,
      block: findBlock(ledger.blocks, contract),
      page: { file, text: readFileSync(file, "utf8") },
    }),
    timeoutMs: documentTimeoutMs ?? TIMEOUT_MS,
    env: desk.env,
  });
  const kept = { ...verdict, file: keepReport(desk, contract.name, verdict) };
  const message = verdict.passed
    ? "an assistant followed the document and found no divergence"
    : (verdict.reason ??
      verdict.divergences.map(({ claim, reality }) => `${claim}, but ${reality}`).join("; "));
  const record = makeTierRecord({
    ...{ tier: 3, passed: verdict.passed, message, at: desk.clock.now() },
    ...{ ...place, document: contract.document.hash },
  });
  await appendRecords(host, contract, [record]);
  if (verdict.passed) return kept;
  const { divergences, tail: output } = verdict;
  throw explainTier({ tier: 3, card: null, state: "failed", message, output, divergences }, contract);
}

function keepReport(desk: Desk, name: string, verdict: AgentVerdict): string {
  const folder = join(desk.home.envs, "reports");
  makeFolder(folder);
  const file = join(folder, `${name}-${makeToken().slice(0, 12)}.json`);
  writeFileAtomic(
    file,
    `${JSON.stringify({ schema: 1, at: desk.clock.now().toISOString(), ...verdict }, null, 2)}\n`,
  );
  return file;
}
