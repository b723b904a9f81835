import type { Store } from "../store/store.ts";

/** What happened to a run, in order: intents before, observations after. */
export interface RunEvent {
  readonly at: string;
  readonly kind: string;
  readonly body: unknown;
}

export function appendEvent(store: Store, runId: string, kind: string, body: unknown, at: Date): void {
  store.change(
    "INSERT INTO events (run_id, at, kind, body) VALUES (?, ?, ?, ?)",
    runId,
    at.toISOString(),
    kind,
    JSON.stringify(body ?? null),
  );
}

export function listEvents(store: Store, runId: string): RunEvent[] {
  return store.list("SELECT at, kind, body FROM events WHERE run_id = ? ORDER BY id", runId).map((row) => ({
    at: row["at"] as string,
    kind: row["kind"] as string,
    body: JSON.parse(row["body"] as string) as unknown,
  }));
}
