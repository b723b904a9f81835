import { dirname } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { redactText } from "../../base/redact.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { isEnded } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";
import { loadRunNow, loadRuns } from "../find-runs.ts";
import { findKey, PROJECT_FILE } from "./find-key.ts";
import { findOfflineRuns, isOnline, isSent, type OfflineRun } from "./find-offline-runs.ts";
import { findPythonHere, findWandb } from "./find-wandb.ts";
import { keepEntity } from "./learn-entity.ts";
import { chooseRunUrl, PUBLIC_URL } from "./server-address.ts";

const AT_ONCE = 4;
/** W&B's program tries for ever where its server is silent. */
const TIMEOUT_MS = 10 * 60_000;

/** What became of one offline run. */
export interface SyncedRun {
  readonly run: string;
  readonly id: string;
  readonly folder: string | null;
  readonly state: "sent" | "sent_before" | "failed";
  /** Why it failed; null: it did not. */
  readonly reason: string | null;
}

/**
 * Sends offline runs by the person's own `wandb sync`, several at a time, those of one run one after the other. Nothing is
 * deleted. @param wanted runs by name or id; empty: all that left something to send @throws run_unknown, wandb_not_logged,
 * wandb_program_missing
 */
export async function syncRuns(
  desk: Desk,
  wanted: readonly string[],
  { onDone, timeoutMs = TIMEOUT_MS }: { onDone?: (synced: SyncedRun) => void; timeoutMs?: number } = {},
): Promise<SyncedRun[]> {
  const runs = await findRuns(desk, wanted);
  const waiting = runs.values();
  const all: SyncedRun[] = [];
  const work = async () => {
    for (const run of waiting) {
      for (const synced of await syncOne(desk, run, { isNamed: wanted.length > 0, timeoutMs })) {
        all.push(synced);
        onDone?.(synced);
      }
    }
  };
  // All are waited for, so that none goes on sending after a fault of another.
  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
  return all;
}

async function findRuns(desk: Desk, wanted: readonly string[]): Promise<RunRecord[]> {
  if (wanted.length === 0) return (await loadRuns(desk)).filter((run) => run.wandb && isEnded(run.state));
  const runs: RunRecord[] = [];
  for (const name of new Set(wanted)) {
    const run = await loadRunNow(desk, name);
    if (!run.wandb) throw new SortieError("wandb_not_logged", { run: run.name });
    if (!runs.some(({ id }) => id === run.id)) runs.push(run);
  }
  return runs;
}

async function syncOne(
  desk: Desk,
  run: RunRecord,
  { isNamed, timeoutMs }: { readonly isNamed: boolean; readonly timeoutMs: number },
): Promise<SyncedRun[]> {
  const tell = (folder: string | null, state: SyncedRun["state"], reason: string | null = null) => ({
    ...{ run: run.name, id: run.id, folder, state, reason },
  });
  if (!isEnded(run.state)) return [tell(null, "failed", "it is still running")];
  if (run.wandb?.way === "forward") {
    try {
      await (await import("./forward/forward-run.ts")).forwardRun(desk, run.id);
    } catch (fault) {
      return [tell(null, "failed", describeFault(fault))];
    }
  }
  const found = findOfflineRuns(desk, run);
  if (found.length === 0 && isNamed) return [tell(null, "failed", describeAbsence(run))];
  const all: SyncedRun[] = [];
  for (const { folder, isSent } of found) {
    const reason = isSent ? null : await upload(desk, run, { folder, timeoutMs });
    all.push(tell(folder, isSent ? "sent_before" : reason === null ? "sent" : "failed", reason));
  }
  return all;
}

function describeAbsence({ results, wandb }: RunRecord): string {
  if (results !== null && wandb?.way === "forward") return "its log holds no numbers";
  if (results !== null && wandb?.way === "none") return "no program `wandb` was there to forward its numbers";
  if (wandb?.mode === "online" && results !== null) return "it was sent while it ran";
  return results === null ? "its results are not home yet" : "it left no offline run of W&B's";
}

/** null: it is there now. The program's exit code is 0 also where its server refused, so its own mark counts. */
async function upload(
  desk: Desk,
  run: RunRecord,
  { folder, timeoutMs }: Pick<OfflineRun, "folder"> & { readonly timeoutMs: number },
): Promise<string | null> {
  const url = chooseRunUrl(desk, run.wandb ?? { url: PUBLIC_URL });
  const found = await findKey(desk, url, run.request.configFrom ?? run.request.cwd, run.target);
  const program = findWandb(desk, findPythonHere(run));
  if (program === null) throw new SortieError("wandb_program_missing");
  const which = isOnline(folder) ? ["--include-online"] : [];
  const outcome = await desk.runner.run([program, "sync", ...which, folder], {
    env: {
      ...desk.env,
      WANDB_SILENT: "false", // what it says is the reason
      ...(found?.source === PROJECT_FILE && { WANDB_API_KEY: found.key }),
      ...(url === PUBLIC_URL ? {} : { WANDB_BASE_URL: url }),
    },
    cwd: dirname(dirname(folder)), // it writes logs of its own below `wandb` of where it is called
    timeoutMs,
    endsWithUs: true,
    ...(desk.leaving && { signal: desk.leaving }),
  });
  if (isSent(folder)) {
    keepEntity(desk, run, `${outcome.stdout}\n${outcome.stderr}`);
    return null;
  }
  if (outcome.timedOut) return `it took longer than ${Math.round(timeoutMs / 1000)} s`;
  return describeFailure(`${outcome.stdout}\n${outcome.stderr}`, found?.key ?? "");
}

/** Its own word for it: the last line that is an error, else the last line. Where its own log lies is no reason. */
function describeFailure(printed: string, key: string): string {
  const lines = printed.split("\n").map((line) => line.replace(/^wandb: /, "").trim());
  const told = lines.filter((line) => line !== "" && !/^(?:ERROR )?Find detailed error logs/.test(line));
  const line = told.findLast((text) => /^error\b/i.test(text)) ?? told.at(-1) ?? "it said nothing";
  return makePrintable(redactText(line.replace(/^error:?\s*/i, ""), [key])).slice(0, 500);
}
