import { SortieError } from "../../base/error.ts";
import type { Row, Store } from "../../store/store.ts";
import { type Fleet, isFleetEnded } from "./fleet.ts";

export function insertFleet(store: Store, fleet: Fleet): void {
  store.change(
    "INSERT INTO fleets (id, live, created_at, body) VALUES (?, ?, ?, ?)",
    ...[fleet.id, isFleetEnded(fleet) ? 0 : 1, fleet.createdAt, JSON.stringify(fleet)],
  );
}

/** @throws fleet_unknown */
export function loadFleet(store: Store, id: string): Fleet {
  const row = store.find("SELECT body FROM fleets WHERE id = ?", id);
  if (row === undefined) throw new SortieError("fleet_unknown", { fleet: id });
  return readBody(row);
}

/** Changes the newest record, not the one that the caller saw. An ended fleet stays as it is. @throws fleet_unknown */
export function changeFleet(
  store: Store,
  id: string,
  change: Partial<Pick<Fleet, "state" | "cause" | "endedAt" | "outcome" | "staggerS" | "jobSaid">>,
): Fleet {
  return store.together(() => {
    const before = loadFleet(store, id);
    if (isFleetEnded(before)) return before;
    const fleet = { ...before, ...change };
    store.change(
      "UPDATE fleets SET live = ?, body = ? WHERE id = ?",
      ...[isFleetEnded(fleet) ? 0 : 1, JSON.stringify(fleet), id],
    );
    return fleet;
  });
}

/** Those of which something may be left, oldest first. */
export function listLiveFleets(store: Store): Fleet[] {
  return store.list("SELECT body FROM fleets WHERE live = 1 ORDER BY created_at, id").map(readBody);
}

/** Newest first. */
export function listFleets(store: Store): Fleet[] {
  return store.list("SELECT body FROM fleets ORDER BY created_at DESC, id DESC").map(readBody);
}

/**
 * A fleet by id, by name or by its job (the live one, else the newest), or by the unique start of any of them; with
 * nothing named, the only live one, else the newest. @throws fleet_unknown, fleet_ambiguous
 */
export function findFleet(store: Store, wanted: string | null): Fleet {
  const fleets = listFleets(store);
  if (wanted === null) return chooseUnnamed(fleets);
  const names = ({ id, name, jobUuid }: Fleet) => [id, name, jobUuid];
  const exact = fleets.filter((fleet) => names(fleet).includes(wanted));
  const [found] = [...exact.filter((fleet) => !isFleetEnded(fleet)), ...exact];
  if (found !== undefined) return found;
  const begun = fleets.filter((fleet) => names(fleet).some((name) => name.startsWith(wanted)));
  if (begun.length === 0 || wanted === "")
    throw new SortieError("fleet_unknown", { fleet: wanted || "(empty)" });
  if (begun.length > 1) throw refuseAmbiguous(wanted, begun);
  return begun[0] as Fleet;
}

function chooseUnnamed(fleets: readonly Fleet[]): Fleet {
  const live = fleets.filter((fleet) => !isFleetEnded(fleet));
  if (live.length > 1) throw refuseAmbiguous("The fleet", live);
  const [found] = [...live, ...fleets];
  if (found === undefined) throw new SortieError("fleet_none");
  return found;
}

function refuseAmbiguous(fleet: string, matches: readonly Fleet[]): SortieError {
  return new SortieError("fleet_ambiguous", {
    fleet,
    matches: matches.map(({ id, name }) => `${name} (${id})`),
  });
}

function readBody(row: Row): Fleet {
  return JSON.parse(row["body"] as string) as Fleet;
}
