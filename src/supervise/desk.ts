import { type Clock, systemClock } from "../base/clock.ts";
import { findHome, type Home, makeHome } from "../disk/home.ts";
import { loadOwnIdentity, type ProcessIdentity } from "../process/identity.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import type { Runner } from "../process/runner.ts";
import type { SshRunner } from "../process/ssh/ssh-runner.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { Preflight } from "../targets/target.ts";
import { dismissWatcher } from "./watcher-card.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What every use case works with: one person's Sortie, opened. */
export interface Desk {
  readonly home: Home;
  readonly store: Store;
  readonly clock: Clock;
  /** The environment that the command was called with. */
  readonly env: Environment;
  readonly identity: ProcessIdentity;
  /** This machine. */
  readonly runner: Runner;
  /** How to start another process of this same Sortie: its program and first arguments. */
  readonly self: readonly string[];
  /** Hosts that were asked over the network, by their address. */
  readonly hosts: Map<string, SshRunner>;
  /** Aborts when the process is to leave: what it asks of hosts is called off then. */
  readonly leaving?: AbortSignal;
  /** What the host of a plan answered when it was made, by the plan's id: who confirms it at once need not ask again. */
  readonly preflights: Map<string, Preflight>;
  /** Runs as they were seen where that could not be written down: a full disk must not hide what the job folder says. */
  readonly unkept: Map<string, RunRecord>;
}

/** Opens the home folder and the database, making them where they are missing. */
export function openDesk(options: { env: Environment; self: readonly string[]; clock?: Clock }): Desk {
  const home = findHome(options.env);
  makeHome(home);
  const clock = options.clock ?? systemClock;
  return {
    home,
    store: openStore(home.database, { beforeMigrating: () => dismissWatcher(home, clock) }),
    clock,
    env: options.env,
    identity: loadOwnIdentity(),
    runner: makeLocalRunner(),
    self: options.self,
    hosts: new Map(),
    preflights: new Map(),
    unkept: new Map(),
  };
}

export function closeDesk(desk: Desk): void {
  desk.store.close();
}
