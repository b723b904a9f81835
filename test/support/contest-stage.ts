import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import type { ApiTimers } from "../../src/challenge/api/api-timers.ts";
import { openSession } from "../../src/challenge/api/session.ts";
import { loadStateFile } from "../../src/challenge/state-file.ts";
import type { Contest } from "../../src/supervise/contest/open-contest.ts";
import { closeDesk, openDesk } from "../../src/supervise/desk.ts";

/** What takes long is asked again at once here. */
const scaledTimers = { requestMs: 5_000, retryFirstMs: 5, retryMostMs: 20, retryTotalMs: 300 };

/**
 * A contestant of this test in a folder: a Sortie of their own, a state file with these lines, a session with the API at
 * `baseUrl`. It is closed with the test.
 */
export function openContestStage(
  folder: string,
  {
    baseUrl,
    state = "",
    clock = systemClock,
    timers = {},
    env: more = {},
  }: {
    readonly baseUrl: string;
    readonly state?: string;
    readonly clock?: Clock;
    readonly timers?: Partial<ApiTimers>;
    readonly env?: Readonly<Record<string, string>>;
  },
) {
  const home = join(folder, "person");
  mkdirSync(home, { recursive: true });
  const statePath = join(home, ".simubotix-challenge.env");
  if (state !== "") writeFileSync(statePath, state, { mode: 0o600 });
  const env = { HOME: home, SORTIE_HOME: join(folder, "home"), SORTIE_CHALLENGE_URL: baseUrl, ...more };
  const desk = openDesk({ env, self: [], clock });
  onTestFinished(() => closeDesk(desk));
  /** As the next command sees it: the state file is read again. */
  const open = (): Contest => ({
    desk,
    session: openSession({ env, clock, timers: { ...scaledTimers, ...timers } }),
    state: loadStateFile(env),
  });
  return { desk, env, statePath, open };
}
