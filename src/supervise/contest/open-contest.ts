import { type ApiSession, openSession } from "../../challenge/api/session.ts";
import { loadStateFile, type StateFile } from "../../challenge/state-file.ts";
import type { Desk } from "../desk.ts";

/** What every use case of a contestant works with: their Sortie, a challenge's API, their variables. */
export interface Contest {
  readonly desk: Desk;
  readonly session: ApiSession;
  /** The state file as it was when the command began. */
  readonly state: StateFile;
}

export interface ContestOptions {
  /** As the person gave it. */
  readonly baseUrl?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** false: a gateway that is away is asked once, and not for as long as one takes to start again. */
  readonly retries?: boolean;
  /** Told when a question did not go well and is asked again. */
  readonly onRetry?: (text: string) => void;
}

/** Asks nothing yet. @throws base_url_bad */
export function openContest(desk: Desk, { retries, ...options }: ContestOptions = {}): Contest {
  const timers = retries === false ? { timers: { retryTotalMs: 0 } } : {};
  const session = openSession({ ...options, ...timers, env: desk.env, clock: desk.clock });
  return { desk, session, state: loadStateFile(desk.env) };
}
