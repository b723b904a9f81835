import { rmSync } from "node:fs";
import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import type { Outcome, Runner } from "../../process/runner.ts";
import { makeTempFolder } from "../../process/temp-folder.ts";
import type { Divergence } from "./list-divergences.ts";
import { type AgentReport, readReport } from "./read-report.ts";

const TAIL_CHARACTERS = 4000;

export interface AgentTerms {
  /** The assistant as its person starts it, word by word; it reads its task from stdin. */
  readonly command: readonly string[];
  /** As `makeAgentPrompt` gives it. */
  readonly prompt: string;
  readonly timeoutMs: number;
  /** The whole environment of the assistant. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

export interface AgentVerdict {
  /** It reported so, without any divergence, and ended well. */
  readonly passed: boolean;
  readonly divergences: readonly Divergence[];
  /** Its report as it gave it; null: none that could be read. */
  readonly report: AgentReport | null;
  /** Why it did not pass, where no divergence says so. */
  readonly reason: string | null;
  /** The end of what it printed, in printable characters. */
  readonly tail: string;
  readonly seconds: number;
}

/**
 * Has a fresh assistant follow a document, on this machine, in an empty folder that goes afterwards, if it can. Whatever it
 * does but report in the form that it was asked for is no pass. @throws document_unfollowed where it could not be started
 */
export async function askAgent(runner: Runner, terms: AgentTerms): Promise<AgentVerdict> {
  const folder = makeTempFolder("sortie-agent-");
  if ("notMade" in folder) throw makeUnfollowed(runner, folder.notMade);
  const startMs = performance.now();
  try {
    const { command, prompt, timeoutMs, env, signal } = terms;
    const outcome = await runner.run(command, {
      ...{ stdin: prompt, cwd: folder.path, env, timeoutMs, endsWithUs: true },
      ...(signal ? { signal } : {}),
    });
    if (outcome.notStarted) throw makeUnfollowed(runner, outcome.stderr.trim());
    if (signal?.aborted) throw makeUnfollowed(runner, "it was called off");
    return { ...judge(outcome, terms), seconds: Math.round((performance.now() - startMs) / 1000) };
  } finally {
    removeFolder(folder.path);
  }
}

/** What an assistant leaves may resist, as folders do that nobody may write: that is no verdict on a document. */
function removeFolder(path: string) {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // what is left lies among the temporary files of the system, which it clears away
  }
}

function judge(outcome: Outcome, { timeoutMs }: AgentTerms): Omit<AgentVerdict, "seconds"> {
  const report = readReport(outcome.stdout);
  const divergences = (report?.divergences ?? []).map(makeSafe);
  const tail = makePrintable(outcome.stdout + outcome.stderr).slice(-TAIL_CHARACTERS);
  const reason = findReason(outcome, report, timeoutMs);
  const passed = reason === null && divergences.length === 0;
  return { passed, divergences, report, reason, tail };
}

function findReason(
  { timedOut, exitCode, signal }: Outcome,
  report: AgentReport | null,
  timeoutMs: number,
): string | null {
  if (timedOut) return `the assistant did not end within ${Math.ceil(timeoutMs / 1000)} s`;
  if (exitCode !== 0) return `the assistant ended with ${exitCode === null ? signal : `exit ${exitCode}`}`;
  if (report === null) return "the assistant's output does not end with a report that can be read";
  if (!report.passed && report.divergences.length === 0)
    return "the assistant reports a failure, and no divergence";
  return null;
}

function makeSafe({ command, claim, reality }: Divergence): Divergence {
  return { command: makePrintable(command), claim: makePrintable(claim), reality: makePrintable(reality) };
}

function makeUnfollowed(runner: Runner, reason: string): SortieError {
  return new SortieError("document_unfollowed", { host: runner.host, reason });
}
