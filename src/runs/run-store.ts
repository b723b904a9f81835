import { SortieError } from "../base/error.ts";
import { quoteCommand } from "../base/quote.ts";
import type { Row, Store } from "../store/store.ts";
import type { RunRecord, RunSummary } from "./run-record.ts";
import { isEnded, isLegalMove, type RunState } from "./states.ts";

/** @throws run_name_taken when a live run has the name */
export function insertRun(store: Store, run: RunRecord): void {
  store.together(() => {
    refuseTakenName(store, run);
    const { live, home, summary, body } = makeColumns(run);
    store.change(
      "INSERT INTO runs (id, name, live, home, created_at, summary, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[run.id, run.name, live, home, run.createdAt, summary, body],
    );
  });
}

export function loadRun(store: Store, id: string): RunRecord {
  const row = store.find("SELECT body FROM runs WHERE id = ?", id);
  if (!row) throw new SortieError("run_unknown", { run: id });
  return readBody(row);
}

/** Facts that do not move the state. The newest record is changed, not the one that the caller saw. */
export function changeRun(store: Store, id: string, change: Partial<Omit<RunRecord, "state">>): RunRecord {
  return store.together(() => saveRun(store, { ...loadRun(store, id), ...change }));
}

/**
 * The only function that moves a state. An illegal move changes nothing and returns the record as it is: the
 * first end wins, and whoever comes later learns of it. `isMeant` is asked of the newest record: is it still the one
 * that the move was decided on?
 */
export function moveRun(
  store: Store,
  id: string,
  to: RunState,
  change: Partial<RunRecord> = {},
  isMeant: (run: RunRecord) => boolean = () => true,
): RunRecord {
  return store.together(() => {
    const run = loadRun(store, id);
    if (!isLegalMove(run.state, to) || !isMeant(run)) return run;
    return saveRun(store, { ...run, ...change, state: to });
  });
}

export function listLiveRuns(store: Store): RunRecord[] {
  return store
    .list("SELECT body FROM runs WHERE live = 1 ORDER BY created_at, id")
    .map((row) => readBody(row));
}

/** Ended runs whose results were not brought home yet, oldest first. */
export function listAwayRuns(store: Store): RunRecord[] {
  return store
    .list("SELECT body FROM runs WHERE live = 0 AND home = 0 ORDER BY created_at, id")
    .map((row) => readBody(row));
}

/** Newest first; live runs come whatever the limit. */
export function listSummaries(store: Store, limit: number): RunSummary[] {
  return store
    .list(
      `SELECT summary FROM runs WHERE live = 1
         OR id IN (SELECT id FROM runs ORDER BY created_at DESC, id DESC LIMIT ?)
       ORDER BY created_at DESC, id DESC`,
      limit,
    )
    .map((row) => JSON.parse(row["summary"] as string) as RunSummary);
}

export function listRuns(store: Store): RunRecord[] {
  return store.list("SELECT body FROM runs ORDER BY created_at DESC, id DESC").map((row) => readBody(row));
}

export function countRuns(store: Store): number {
  return Number(store.find("SELECT count(*) AS n FROM runs")?.["n"] ?? 0);
}

/**
 * A run by id, by name (the live one, else the newest), or by the unique start of either.
 * @throws run_unknown, run_ambiguous
 */
export function findRun(store: Store, wanted: string): RunRecord {
  const exact =
    store.find("SELECT body FROM runs WHERE id = ?", wanted) ??
    store.find("SELECT body FROM runs WHERE name = ? ORDER BY live DESC, created_at DESC LIMIT 1", wanted);
  if (exact) return readBody(exact);
  const pattern = `${wanted.replace(/[\\%_]/g, "\\$&")}%`;
  const rows = store.list(
    "SELECT name, body FROM runs WHERE id LIKE ? ESCAPE '\\' OR name LIKE ? ESCAPE '\\' ORDER BY created_at DESC LIMIT 9",
    pattern,
    pattern,
  );
  if (rows.length === 0 || wanted === "") throw new SortieError("run_unknown", { run: wanted || "(empty)" });
  if (rows.length > 1) {
    throw new SortieError("run_ambiguous", {
      run: wanted,
      matches: rows.map((row) => `${row["name"]} (${readBody(row).id})`),
    });
  }
  return readBody(rows[0] as Row);
}

export function removeRun(store: Store, id: string): void {
  store.together(() => {
    store.change("DELETE FROM events WHERE run_id = ?", id);
    store.change("DELETE FROM runs WHERE id = ?", id);
  });
}

function saveRun(store: Store, run: RunRecord): RunRecord {
  const { live, home, summary, body } = makeColumns(run);
  store.change(
    "UPDATE runs SET live = ?, home = ?, summary = ?, body = ? WHERE id = ?",
    ...[live, home, summary, body, run.id],
  );
  return run;
}

/** `live`: not ended; `home`: its results were brought home. */
function makeColumns(run: RunRecord) {
  return {
    live: isEnded(run.state) ? 0 : 1,
    home: run.results === null ? 0 : 1,
    summary: JSON.stringify(summarise(run)),
    body: JSON.stringify(run),
  };
}

function refuseTakenName(store: Store, run: RunRecord): void {
  const row = store.find("SELECT id FROM runs WHERE name = ? AND live = 1", run.name);
  if (row && !isEnded(run.state)) throw new SortieError("run_name_taken", { name: run.name, run: row["id"] });
}

function readBody(row: Row): RunRecord {
  return JSON.parse(row["body"] as string) as RunRecord;
}

/** What a list shows of a run. */
export function summarise(run: RunRecord): RunSummary {
  const { id, name, state, endReason, exitCode, target, createdAt, startedAt, endedAt, durationS } = run;
  const { reachable, observedAt, host, silence = null, clockSkewS, quietSince } = run;
  const command = quoteCommand(run.request.command).slice(0, 200);
  const gpuCount = run.gpus.length;
  return {
    id,
    name,
    state,
    endReason,
    exitCode,
    target,
    command,
    gpuCount,
    createdAt,
    startedAt,
    endedAt,
    durationS,
    reachable,
    observedAt,
    host,
    silence,
    ...(clockSkewS === undefined ? {} : { clockSkewS }),
    ...(quietSince ? { quietSince } : {}),
  };
}
