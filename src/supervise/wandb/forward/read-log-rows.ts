import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../../base/error.ts";
import { makeMetricReader } from "../../../metrics/log/metric-reader.ts";
import { collectRows, type ForwardRow } from "../../../metrics/wandb/forward/collect-rows.ts";
import type { RunRecord } from "../../../runs/run-record.ts";

const BLOCK_BYTES = 256 * 1024;
/** Of a longer log the end is read. */
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * The numbers of a run's last log, which is home, as rows: all of them, where `sortie show` keeps a summary. Others are heard
 * between its blocks. @throws metric_pattern_bad, wandb_forward_failed
 */
export async function readLogRows(run: RunRecord, signal?: AbortSignal): Promise<readonly ForwardRow[]> {
  const path = findHomeLog(run);
  const size = path === null ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  const rows = collectRows();
  const reader = makeMetricReader({ patterns: run.request.metricPatterns ?? [] });
  if (path === null || size === 0) return [];
  const start = Math.max(0, size - MOST_BYTES);
  const stream = createReadStream(path, { start, highWaterMark: BLOCK_BYTES, ...(signal && { signal }) });
  try {
    for await (const block of stream) rows.add(reader.read(block as Buffer));
  } catch (fault) {
    if (fault instanceof SortieError) throw fault;
    throw new SortieError("wandb_forward_failed", { run: run.name, reason: "its log cannot be read" }, fault);
  }
  rows.add(reader.end());
  return rows.list();
}

/** Among its results; else, of a run on this machine, where it was written. */
function findHomeLog({ resultsFolder, remote, log }: RunRecord): string | null {
  const home = resultsFolder === null ? null : join(resultsFolder, "log");
  if (home !== null && statSync(home, { throwIfNoEntry: false })?.isFile()) return home;
  return remote ? null : log;
}
