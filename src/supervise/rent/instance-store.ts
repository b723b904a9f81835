import type { Row, Store } from "../../store/store.ts";
import type { Instance } from "./instance.ts";

export function insertInstance(store: Store, instance: Instance): void {
  const { run, since } = instance;
  store.change(
    "INSERT INTO instances (run_id, open, since, body) VALUES (?, ?, ?, ?)",
    ...[run, isOpen(instance) ? 1 : 0, since, JSON.stringify(instance)],
  );
}

/** The machine that a run is on; null: it is on none that is rented. */
export function findInstanceOf(store: Store, run: string): Instance | null {
  const row = store.find("SELECT body FROM instances WHERE run_id = ?", run);
  return row === undefined ? null : readBody(row);
}

/** Changes the newest record, not the one that the caller saw. One that is gone stays so. null: there is none. */
export function changeInstance(store: Store, run: string, change: Partial<Instance>): Instance | null {
  return store.together(() => {
    const before = findInstanceOf(store, run);
    if (before === null || before.state === "gone") return before;
    const instance = { ...before, ...change };
    store.change(
      "UPDATE instances SET open = ?, body = ? WHERE run_id = ?",
      ...[isOpen(instance) ? 1 : 0, JSON.stringify(instance), run],
    );
    return instance;
  });
}

/** With its run; one that is open is never forgotten. */
export function removeInstance(store: Store, run: string): void {
  store.change("DELETE FROM instances WHERE run_id = ? AND open = 0", run);
}

/** Those that may cost money still, oldest first. */
export function listOpenInstances(store: Store): Instance[] {
  return store.list("SELECT body FROM instances WHERE open = 1 ORDER BY since, run_id").map(readBody);
}

function isOpen({ state }: Instance): boolean {
  return state !== "gone";
}

function readBody(row: Row): Instance {
  return JSON.parse(row["body"] as string) as Instance;
}
