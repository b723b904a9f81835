import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describeFault, SortieError } from "../../../base/error.ts";
import { redactText } from "../../../base/redact.ts";
import { isSecretName } from "../../../base/secret-name.ts";
import { readParameters } from "../../../metrics/compare/read-parameters.ts";
import type { ForwardRow } from "../../../metrics/wandb/forward/collect-rows.ts";
import { findPythonOf } from "../../../metrics/wandb/forward/find-python.ts";
import { makeOfflineRun, type OfflineHead } from "../../../metrics/wandb/forward/make-offline-run.ts";
import { appendEvent } from "../../../runs/events.ts";
import type { RunRecord } from "../../../runs/run-record.ts";
import { changeRun, loadRun } from "../../../runs/run-store.ts";
import { takeKernelLock } from "../../../store/kernel-lock.ts";
import type { Desk } from "../../desk.ts";
import { findOfflineRuns } from "../find-offline-runs.ts";
import { findPythonHere, findWandb } from "../find-wandb.ts";
import { readLogRows } from "./read-log-rows.ts";

const TIMEOUT_MS = 10 * 60_000;
const LOOK_EVERY_MS = 200;

/**
 * Makes an offline run of W&B's from the log of a run that is home, among its results, once: it is moved there whole, and how many
 * rows it has is on record. Two that do it at the same time make one. @returns the rows; null: it is not home yet
 * @throws wandb_program_missing, wandb_forward_failed
 */
export async function forwardRun(
  desk: Desk,
  id: string,
  { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Promise<number | null> {
  mkdirSync(desk.home.forward, { recursive: true, mode: 0o700 });
  const lockFile = join(desk.home.forward, `${id}.lock`);
  for (;;) {
    const lock = takeKernelLock(lockFile);
    try {
      const run = loadRun(desk.store, id);
      if (run.wandb?.rows !== undefined) return run.wandb.rows;
      if (run.results === null || desk.leaving?.aborted) return null;
      if (lock) return await makeOnce(desk, run, timeoutMs);
    } finally {
      lock?.release();
      if (lock) rmSync(lockFile, { force: true });
    }
    await desk.clock.sleep(LOOK_EVERY_MS, desk.leaving);
  }
}

async function makeOnce(desk: Desk, run: RunRecord, timeoutMs: number): Promise<number> {
  const rows = await readLogRows(run, desk.leaving);
  // Whoever died between the move and the record has left it whole.
  if (rows.length > 0 && findOfflineRuns(desk, run).length === 0) await make(desk, run, rows, timeoutMs);
  const { wandb } = loadRun(desk.store, run.id);
  desk.store.together(() => {
    if (wandb) changeRun(desk.store, run.id, { wandb: { ...wandb, rows: rows.length } });
    appendEvent(desk.store, run.id, "forwarded", { rows: rows.length }, desk.clock.now());
  });
  return rows.length;
}

async function make(
  desk: Desk,
  run: RunRecord,
  rows: readonly ForwardRow[],
  timeoutMs: number,
): Promise<void> {
  const fail = (reason: string, cause?: unknown) =>
    new SortieError("wandb_forward_failed", { run: run.name, reason }, cause);
  const { resultsFolder } = run;
  if (resultsFolder === null) throw fail("it has no folder of results");
  const python = findPython(desk, run);
  const folder = join(desk.home.forward, run.id);
  try {
    rmSync(folder, { recursive: true, force: true }); // of one that died
    mkdirSync(folder, { mode: 0o700 });
    const call = { python, env: desk.env, folder, timeoutMs, signal: desk.leaving };
    const made = await makeOfflineRun(desk.runner, makeHead(run), rows, call);
    if ("failed" in made) throw fail(made.failed);
    moveWhole(made.folder, join(resultsFolder, "wandb", basename(made.folder)));
  } catch (fault) {
    throw fault instanceof SortieError ? fault : fail(describeFault(fault), fault);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is there has come whole: results may lie on another file system, to which nothing can be moved. */
function moveWhole(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "EXDEV") throw fault;
    const part = join(dirname(to), `part-of-${basename(to)}`);
    rmSync(part, { recursive: true, force: true });
    cpSync(from, part, { recursive: true });
    renameSync(part, to);
  }
}

function findPython(desk: Desk, run: RunRecord): string {
  const program = findWandb(desk, findPythonHere(run));
  const python = program === null ? null : findPythonOf(program, desk.env);
  if (python === null) throw new SortieError("wandb_program_missing");
  return python;
}

function makeHead({ id, name, wandb, request, exitCode, state }: RunRecord): OfflineHead {
  return {
    project: wandb?.project ?? "",
    entity: wandb?.entity ?? null,
    ...{ name, id: wandb?.id ?? id },
    config: readConfig(request.command),
    exit: exitCode ?? (state === "succeeded" ? 0 : 1),
  };
}

/** What the script is called with, as numbers and flags where it is that; what looks like a password stays out. */
function readConfig(command: readonly string[]): Record<string, unknown> {
  const script = command.findIndex((word) => word.endsWith(".py"));
  const module = command.indexOf("-m") + 1;
  const start = script === -1 ? module : script;
  if (start <= 0) return {};
  const named = [...readParameters(command.slice(start + 1))].filter(
    ([name]) => !isSecretName(name) && !name.startsWith("argument "),
  );
  return Object.fromEntries(named.map(([name, text]) => [name, readWord(redactText(text))]));
}

function readWord(text: string): unknown {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  return /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : text;
}
