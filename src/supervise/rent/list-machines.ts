import { loadRun } from "../../runs/run-store.ts";
import type { VastInstance } from "../../targets/vast/instance.ts";
import type { Desk } from "../desk.ts";
import { keepWatcher } from "../watcher.ts";
import { countDollars, type Instance } from "./instance.ts";
import { findInstanceOf, listOpenInstances } from "./instance-store.ts";
import { type FileEntry, readEntries } from "./instances-file/entries.ts";
import { findInstancesFile } from "./instances-file/find-file.ts";
import { openAccount } from "./open-account.ts";

/** One machine of the account, beside what is known of it here. */
export interface Machine {
  readonly number: number;
  readonly gpus: string;
  readonly status: string;
  readonly statusMessage: string | null;
  readonly dollarsPerHour: number;
  readonly storageDollarsPerHour: number | null;
  readonly ageHours: number;
  /** Since it was made, as if it had cost the same all the time. */
  readonly dollars: number;
  readonly label: string | null;
  /** Runs of yours on it; none: Sortie does not know it, and leaves it alone. */
  readonly runs: readonly { readonly id: string; readonly name: string; readonly state: string }[];
  /** It bears the label of this run, which is not on it as far as is known here; null: it does not. */
  readonly labelledAs: { readonly name: string; readonly number: number | null } | null;
  readonly keptFor: string | null;
  /** What `vast-instances.json` of the project says of it; null: nothing, or there is none. */
  readonly listed: FileEntry | null;
}

export interface MachineList {
  readonly machines: readonly Machine[];
  /** On record here, and not in the account. */
  readonly missing: readonly { readonly number: number; readonly run: string }[];
  /** Higher prices that hosts propose; none is accepted here. */
  readonly proposals: readonly string[];
  readonly credit: number | null;
  /** What that file says is running, and is not in the account. */
  readonly listedInVain: readonly FileEntry[];
}

const HOUR_MS = 3_600_000;

/** What the account has, whoever rented it, beside what is on record here and in the folder; that is seen to. @throws what asking the vendor throws */
export async function listMachines(desk: Desk, folder: string): Promise<MachineList> {
  keepWatcher(desk);
  const vast = openAccount(desk);
  const [instances, credit, increases] = await Promise.all([
    vast.listInstances(),
    vast.loadCredit(),
    vast.listPriceIncreases(),
  ]);
  const known = listOpenInstances(desk.store);
  const numbers = new Set(instances.map(({ id }) => id));
  const listed = readEntries(findInstancesFile(folder)?.text ?? "");
  const proposals = increases.map(
    ({ instance, gpuDollarsPerHour, from }) =>
      `the host of ${instance} proposes a higher price${gpuDollarsPerHour ? `: $${gpuDollarsPerHour.new} an hour in place of $${gpuDollarsPerHour.old}` : ""}${from ? `, from ${from.toISOString()}` : ""}; Sortie accepts none`,
  );
  return {
    machines: instances.map((instance) => ({
      ...makeMachine(desk, instance, known),
      listed: listed.find(({ number }) => number === instance.id) ?? null,
    })),
    missing: known.flatMap(({ number, run }) =>
      number === null || numbers.has(number) ? [] : [{ number, run }],
    ),
    ...{ proposals, credit },
    listedInVain: listed.filter(({ number, status }) => status === "running" && !numbers.has(number)),
  };
}

function makeMachine(
  desk: Desk,
  instance: VastInstance,
  known: readonly Instance[],
): Omit<Machine, "listed"> {
  const { id: number, gpuCount, gpuName, status, statusMessage, dollarsPerHour, label, createdAt } = instance;
  const now = desk.clock.now();
  const ours = known.filter((one) => one.number === number || isBeingRented(one, label));
  const ageHours = Math.max(0, now.getTime() - createdAt.getTime()) / HOUR_MS;
  const [rented] = ours.filter((one) => one.isRented);
  return {
    ...{ number, gpus: `${gpuCount} × ${gpuName}`, status, statusMessage, dollarsPerHour, label, ageHours },
    storageDollarsPerHour: instance.storageDollarsPerHour,
    dollars: rented ? countDollars(rented, now) : ageHours * dollarsPerHour,
    runs: ours.map(({ run }) => loadRun(desk.store, run)).map(({ id, name, state }) => ({ id, name, state })),
    labelledAs: ours.length > 0 || label === null ? null : findLabelled(desk, label),
    keptFor: ours.find(({ keptFor }) => keptFor !== null)?.keptFor ?? null,
  };
}

/** The vendor has made it, and has not said so yet. */
function isBeingRented({ isRented, number, run }: Instance, label: string | null): boolean {
  return isRented && number === null && run === label;
}

function findLabelled(desk: Desk, label: string): Machine["labelledAs"] {
  const instance = findInstanceOf(desk.store, label);
  return instance && { name: loadRun(desk.store, label).name, number: instance.number };
}
