import { SortieError } from "../../base/error.ts";
import type { SshHost } from "../../process/ssh/ssh-host.ts";
import { describeSshHost } from "../../process/ssh/ssh-host.ts";
import { appendEvent } from "../../runs/events.ts";
import type { RunRecord, Silence } from "../../runs/run-record.ts";
import { changeRun } from "../../runs/run-store.ts";
import type { VastInstance } from "../../targets/vast/instance.ts";
import { reachEndpoint } from "../../targets/vast/reach-endpoint.ts";
import type { Desk } from "../desk.ts";
import { makeSilence } from "../silence.ts";
import { describeWord } from "./describe-word.ts";
import type { Instance, VendorSight, VendorWord } from "./instance.ts";
import { changeInstance, findInstanceOf } from "./instance-store.ts";
import { keepEntry } from "./instances-file/keep-entry.ts";
import { openAccount } from "./open-account.ts";

/** Whoever asks, the vendor is asked so often at most about a machine that is silent. */
const ASK_EVERY_MS = 60_000;
/** Of one that is merely out of reach, nobody knows. */
const EMPTY: readonly (string | null)[] = ["stopped", "frozen", "exited", null];
/** Nobody waits longer for the vendor than for the host. */
const MOST_MS = 10_000;

export interface Found {
  /** It has another address since a restart, which is on record now: it is worth asking again. */
  readonly hasMoved: boolean;
  /** The vendor says that nothing can run there: it is stopped, has ended, or is gone. */
  readonly isEmpty: boolean;
  readonly silence: Silence;
}

/**
 * Asks the vendor about the machine of runs whose host does not answer. A restart gives it other ports: then the runs' address is
 * changed, and its key, kept under the machine's number, tells that it is the same one. It never throws: what the vendor says is
 * news beside the host's silence.
 */
export async function lookForInstance(
  desk: Desk,
  runs: readonly RunRecord[],
  { fault, patienceMs = MOST_MS }: { readonly fault: SortieError; readonly patienceMs?: number | undefined },
): Promise<Found> {
  const [first] = runs;
  const instance = first === undefined ? null : findInstanceOf(desk.store, first.id);
  const nothing = { hasMoved: false, isEmpty: false, silence: makeSilence(fault) };
  if (instance === null || instance.number === null) return nothing;
  const { number } = instance;
  const known = instance.sight;
  // A host that has fallen silent this moment may just have been restarted.
  const isNew = first?.reachable === true;
  const isFresh = known && !isNew && desk.clock.now().getTime() - Date.parse(known.askedAt) < ASK_EVERY_MS;
  const asked = isFresh ? null : await askVendor(desk, number, Math.min(patienceMs, MOST_MS));
  const sight = isFresh ? known : makeSight(desk, isNew ? undefined : known, { instance, asked });
  if (!isFresh) keepSight(desk, runs, sight);
  const hasMoved = asked?.instance?.status === "running" && (await follow(desk, runs, asked.instance));
  if (!isFresh) for (const { id } of runs) keepEntry(desk, id);
  const { said } = sight;
  if (said === null) return { ...nothing, hasMoved };
  return {
    hasMoved,
    isEmpty: EMPTY.includes(said.status),
    silence: describeWord(number, said, fault, instance),
  };
}

/** null: it does not answer either, or there is no key. */
async function askVendor(
  { env, clock, leaving }: Desk,
  number: number,
  mostMs: number,
): Promise<{ readonly instance: VastInstance | null } | null> {
  const signals = [AbortSignal.timeout(mostMs), ...(leaving ? [leaving] : [])];
  try {
    const vast = openAccount({ env, clock, leaving: AbortSignal.any(signals) });
    return { instance: await vast.loadInstance(number) };
  } catch (fault) {
    if (fault instanceof SortieError) return null;
    throw fault;
  }
}

/** Where the vendor keeps silent, too, its last word of the same silence stands. */
function makeSight(
  { clock }: Desk,
  before: VendorSight | undefined,
  { instance, asked }: { readonly instance: Instance; readonly asked: Awaited<ReturnType<typeof askVendor>> },
): VendorSight {
  const askedAt = clock.now().toISOString();
  const last = before?.said ?? null;
  if (asked === null) return { askedAt, said: last };
  const seen = asked.instance;
  const status = seen?.status ?? null;
  const said: VendorWord = {
    ...{ status, message: seen?.statusMessage ?? null },
    since: last?.status === status ? last.since : askedAt,
    dollarsPerHour: seen?.dollarsPerHour ?? instance.dollarsPerHour,
    storageDollarsPerHour: seen?.storageDollarsPerHour ?? null,
  };
  return { askedAt, said };
}

/** Without it the vendor is asked more often, and nothing else. */
function keepSight(desk: Desk, runs: readonly RunRecord[], sight: VendorSight): void {
  try {
    desk.store.together(() => {
      for (const { id } of runs) changeInstance(desk.store, id, { sight });
    });
  } catch (fault) {
    if (!(fault instanceof SortieError) || fault.code !== "home_unwritable") throw fault;
  }
}

/** Puts the address that the vendor tells on record, its own port before the proxy. false: it is the one on record. */
async function follow(desk: Desk, runs: readonly RunRecord[], instance: VastInstance): Promise<boolean> {
  const endpoint = await reachEndpoint(instance);
  const [first] = runs;
  if (endpoint === null || !first?.remote) return false;
  const { host: destination, port } = endpoint;
  const { address: before } = first.remote;
  if (before.destination === destination && before.port === port) return false;
  const address: SshHost = { ...before, destination, port };
  const body = { from: describeSshHost(before), to: describeSshHost(address), way: endpoint.way };
  desk.store.together(() => {
    for (const { id, remote } of runs) {
      if (!remote) continue;
      changeRun(desk.store, id, { remote: { ...remote, address }, host: describeSshHost(address) });
      appendEvent(desk.store, id, "address_changed", body, desk.clock.now());
    }
  });
  return true;
}
