/** A host as the system's `ssh` is told of it. */
export interface SshHost {
  /** An alias of the person's ssh configuration, or a host name. */
  readonly destination: string;
  readonly user: string | null;
  readonly port: number | null;
  /** Further options, one argument each: `["-J", "jump", "-4"]`. */
  readonly options: readonly string[];
  /** Its key was trusted without being on record: it is kept at the first use, in a file of our own, and checked from then on. */
  readonly pinsKeys: boolean;
  /** The name that its key is kept under, where the address is lent to one machine after another; absent: the address. */
  readonly keyName?: string;
}

/** For people: `my-gpu-server`, `root@box:2222`. */
export function describeSshHost({ destination, user, port }: SshHost): string {
  const place = user === null ? destination : `${user}@${destination}`;
  return port === null ? place : `${place}:${port}`;
}
