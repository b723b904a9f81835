import { SortieError } from "../../base/error.ts";
import type { SshAddress } from "../../config/ssh-address.ts";
import type { Target } from "../../config/target.ts";
import type { SshHost } from "../../process/ssh/ssh-host.ts";
import type { VastInstance } from "../../targets/vast/instance.ts";
import { type ReachedEndpoint, reachEndpoint } from "../../targets/vast/reach-endpoint.ts";
import { type AccountDesk, openAccount } from "./open-account.ts";

/** A rented machine that a target stands for, as its vendor tells it now. */
export interface ChosenInstance {
  readonly number: number;
  readonly gpus: string;
  readonly dollarsPerHour: number;
  readonly way: ReachedEndpoint["way"];
  readonly autoDestroy: boolean;
  /** Sortie rented it for the run that is planned. */
  readonly isRented: boolean;
}

/** A target as far as it matters here. */
interface Placeable {
  readonly section: Target;
  readonly ssh: SshHost | null;
  readonly instance: ChosenInstance | null;
}

/**
 * The target of a section that names an instance, with the address that the vendor tells: that in the section may have
 * changed with a restart. `mayRent`: one without an instance is given back as it is.
 * @throws vast_not_rented, vast_instance_unnamed, vast_instance_missing, vast_instance_stopped, vast_instance_unreachable, and what asking the vendor throws
 */
export async function findInstance<Chosen extends Placeable>(
  desk: AccountDesk,
  chosen: Chosen,
  { mayRent }: { readonly mayRent: boolean },
): Promise<Chosen> {
  const { name, vast, ssh } = chosen.section;
  const number = vast?.instance ?? null;
  if (number === null && ssh !== undefined) throw new SortieError("vast_instance_unnamed", { target: name });
  if (number === null) {
    if (mayRent) return chosen;
    throw new SortieError("vast_not_rented", { target: name });
  }
  const instance = await openAccount(desk).loadInstance(number);
  if (instance === null) throw new SortieError("vast_instance_missing", { number, target: name });
  if (instance.status !== "running") throw refuseStopped(instance, name);
  return placeOn(chosen, instance, { isRented: false, autoDestroy: vast?.autoDestroy ?? false });
}

/** The target as the host that the instance is. @throws vast_instance_unreachable */
export async function placeOn<Chosen extends Placeable>(
  chosen: Chosen,
  instance: VastInstance,
  use: Pick<ChosenInstance, "isRented" | "autoDestroy">,
): Promise<Chosen> {
  const endpoint = await reachEndpoint(instance);
  if (endpoint === null) throw new SortieError("vast_instance_unreachable", { number: instance.id });
  const { id: number, gpuCount, gpuName, dollarsPerHour } = instance;
  const gpus = `${gpuCount} × ${gpuName}`;
  return {
    ...chosen,
    ssh: makeAddress(number, endpoint, chosen.section.ssh),
    instance: { number, gpus, dollarsPerHour, way: endpoint.way, ...use },
  };
}

/**
 * The vendor knows the host: its key is kept at the first use, and checked from then on. Another machine may have had the same
 * address yesterday.
 */
function makeAddress(
  number: number,
  { host, port }: ReachedEndpoint,
  written: SshAddress | undefined,
): SshHost {
  const { user = null, options = [] } = written ?? {};
  return {
    destination: host,
    user: user ?? "root",
    port,
    options,
    pinsKeys: true,
    keyName: `vast-${number}`,
  };
}

function refuseStopped({ id: number, status, statusMessage }: VastInstance, target: string): SortieError {
  const said = statusMessage === null ? status : `${status} (${statusMessage})`;
  return new SortieError("vast_instance_stopped", { number, target, status: said });
}
