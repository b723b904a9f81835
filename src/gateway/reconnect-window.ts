import type { TunnelState } from "../wire/agent-states.ts";
import { closeCodes } from "../wire/close-codes.ts";

/** The time in which a pair that lost its link may come back; it holds its slot meanwhile. */
export class ReconnectWindow {
  #endsAtMs: number | undefined;

  get isOpen(): boolean {
    return this.#endsAtMs !== undefined;
  }

  open(endsAtMs: number): void {
    this.#endsAtMs = endsAtMs;
  }

  close(): void {
    this.#endsAtMs = undefined;
  }

  /** Nobody could come back for so long. */
  extend(ms: number): void {
    if (this.#endsAtMs !== undefined) this.#endsAtMs += ms;
  }

  /** Whether nobody came back in time. */
  isOver(nowMs: number): boolean {
    return this.#endsAtMs !== undefined && nowMs >= this.#endsAtMs;
  }
}

/** What a tunnel is in the middle of when its link is lost. */
export interface LostLink {
  readonly state: TunnelState;
  readonly hasSession: boolean;
  /** The agent has surely heard that it is drained, or is given up. */
  readonly isFinal: boolean;
  /** How the link ended. */
  readonly code: number;
}

/** Whether the window opens: for a session that is played, or for a drain that may not have arrived. */
export function isAwaited({ state, hasSession, isFinal, code }: LostLink): boolean {
  if (state === "running") return hasSession;
  return state === "draining" && !isFinal && code !== closeCodes.done;
}
