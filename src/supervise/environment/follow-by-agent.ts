import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { makeToken } from "../../base/ids.ts";
import { writeFileAtomic } from "../../disk/atomic-file.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { makeAgentPrompt } from "../../env/document/agent-prompt.ts";
import { type AgentVerdict, askAgent } from "../../env/document/ask-agent.ts";
import { describeDivergences } from "../../env/document/list-divergences.ts";
import type { LedgerBlock } from "../../env/ledger/parse-ledger.ts";
import { makeTierRecord } from "../../env/tiers/make-tier-record.ts";
import type { Desk } from "../desk.ts";
import type { ContractTerms } from "./contract-terms.ts";
import { explainTier } from "./explain-failure.ts";
import { loadBlock } from "./load-how.ts";
import { openEnvHost } from "./open-env-host.ts";
import type { ReadyTerms } from "./plan-ready.ts";
import type { Readied, ReadyOptions } from "./ready-environment.ts";
import { saveToLedger } from "./save-to-ledger.ts";
import { keepRecord, type TierShown } from "./try-tiers.ts";

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
  { terms, readied, agent }: { terms: ReadyTerms; readied: Readied; agent: readonly string[] },
  { onNews, signal }: ReadyOptions = {},
): Promise<KeptVerdict> {
  const { contract, remote, documentTimeoutMs } = terms;
  const { place } = readied;
  const host = openEnvHost(desk, remote?.address ?? null);
  const block = loadBlock(contract);
  onNews?.({ kind: "trying", tier: 3, why: "an assistant is to follow the document, too" });
  const verdict = await askAgent(desk.runner, {
    command: agent,
    prompt: makeAgentPrompt({
      ...{ host: host.name, folder: contract.project },
      block,
      page: loadPage(contract, block),
    }),
    timeoutMs: documentTimeoutMs ?? TIMEOUT_MS,
    env: desk.env,
    ...(signal && { signal }),
  });
  const kept = { ...verdict, file: keepReport(desk, contract.name, verdict) };
  const message = verdict.passed
    ? "an assistant followed the document and found no divergence"
    : (verdict.reason ?? describeDivergences(verdict.divergences));
  const record = makeTierRecord({
    ...{ tier: 3, passed: verdict.passed, message, at: desk.clock.now() },
    ...{ ...place, document: contract.document.hash },
  });
  const unkept = await keepRecord({ host, contract }, record);
  if (unkept !== null) onNews?.({ kind: "warning", text: unkept });
  const records = [...readied.records, record];
  const fault = await saveToLedger(desk, { contract, place, records, hasHow: true });
  if (fault !== null) onNews?.({ kind: "warning", text: fault });
  const { divergences, tail: output } = verdict;
  const state = verdict.passed ? "passed" : "failed";
  const shown: TierShown = { ...{ tier: 3, card: null, state, message }, output, divergences };
  onNews?.({ kind: "shown", shown });
  if (verdict.passed) return kept;
  onNews?.({ kind: "warning", text: `what the assistant reported is kept in ${kept.file}` });
  throw explainTier(shown, contract);
}

/** What the commands stand in: of a ledger the block alone, which says nothing of other environments. */
function loadPage({ document, ledger, projectFolder }: ContractTerms, block: LedgerBlock | null) {
  const file = resolve(projectFolder, document.commands[0]?.file ?? ledger);
  const text = file === ledger && block !== null ? block.text : readFileSync(file, "utf8");
  return { file: relative(projectFolder, file), text };
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
