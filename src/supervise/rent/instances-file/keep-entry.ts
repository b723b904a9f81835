import { writeFileAtomic } from "../../../disk/atomic-file.ts";
import type { SshHost } from "../../../process/ssh/ssh-host.ts";
import type { RunRecord } from "../../../runs/run-record.ts";
import { loadRun } from "../../../runs/run-store.ts";
import type { Desk } from "../../desk.ts";
import type { ChosenInstance } from "../find-instance.ts";
import type { Instance } from "../instance.ts";
import { findInstanceOf } from "../instance-store.ts";
import { changeEntry, type EntryFields } from "./entries.ts";
import { findInstancesFile } from "./find-file.ts";

/**
 * Brings the entry of a run's machine in `vast-instances.json` of its project up to what is known of it; one that was rented for
 * the run gets an entry once that was launched on it (`chosen`). It never throws, and never makes the file: others' notes stop nothing.
 */
export function keepEntry(desk: Desk, id: string, chosen: ChosenInstance | null = null): void {
  try {
    desk.store.together(() => changeFile(desk, id, chosen)); // of several that change it at once, one waits for the other
  } catch {
    // a folder that is not there, or cannot be written: what is on record here is what counts
  }
}

function changeFile(desk: Desk, id: string, chosen: ChosenInstance | null): void {
  const run = loadRun(desk.store, id);
  const instance = findInstanceOf(desk.store, id);
  const file = instance?.number == null ? null : findInstancesFile(run.request.configFrom ?? run.request.cwd);
  if (instance?.number == null || file === null) return;
  const changed = describeState(instance, run);
  const added = chosen?.isRented ? { ...describeMachine(chosen, instance, run), ...changed } : null;
  const text = changeEntry(file.text, instance.number, { changed, added });
  if (text !== null) writeFileAtomic(file.path, text, { mode: file.mode });
}

/** What may change of it. */
function describeState({ state, sight }: Instance, { remote, name }: RunRecord): EntryFields {
  if (state === "gone") return { status: "destroyed" };
  const status = sight?.said?.status ?? "running";
  return { status, ...(remote && describeAddress(remote.address)), experiment: name };
}

function describeAddress({ destination: host, port, user }: SshHost): EntryFields {
  const [name, place] = [user ?? "root", port ?? 22];
  return { ssh_url: `ssh://${name}@${host}:${place}`, ssh_host: host, ssh_port: place };
}

function describeMachine(
  { gpus, dollarsPerHour }: ChosenInstance,
  { since }: Instance,
  { expected: { seconds } }: RunRecord,
): EntryFields {
  const [, count = "1", name = gpus] = /^(\d+) × (.+)$/.exec(gpus) ?? [];
  const hours = seconds === null ? null : seconds / 3600;
  return {
    ...{
      gpu_name: name.replaceAll(" ", "_"),
      num_gpus: Number(count),
      dph: dollarsPerHour,
      created_at: since,
    },
    ...{ estimated_hours: hours, estimated_cost: hours === null ? null : hours * dollarsPerHour },
  };
}
