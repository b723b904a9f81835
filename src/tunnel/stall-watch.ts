import { formatDuration } from "../base/duration.ts";
import type { AgentJournal } from "./agent-journal.ts";
import type { AgentSettings } from "./check-settings.ts";

export interface StallParts {
  /** Whether the agent owes the gateway nothing: else it is no wonder that nothing comes. */
  readonly isIdle: () => boolean;
  readonly onFreshId: (why: string) => void;
}

/**
 * A link that came back, but over which nothing comes: seen on the platform, for 20 minutes and more, until the agent
 * came with a fresh id. A job that waits in line looks the same, so that it is said, and done only where it is wanted.
 */
export class StallWatch {
  readonly #settings: AgentSettings;
  readonly #journal: AgentJournal;
  readonly #parts: StallParts;
  #watched = new AbortController();

  constructor(settings: AgentSettings, journal: AgentJournal, parts: StallParts) {
    this.#settings = settings;
    this.#journal = journal;
    this.#parts = parts;
  }

  /** A link came back. */
  start() {
    this.stop();
    this.#watched = new AbortController();
    this.#watch(this.#watched.signal);
  }

  /** A session or a warm-up came over it, so that it is none, or it ended. Called at each frame: an abort would cost a stack trace. */
  stop() {
    if (!this.#watched.signal.aborted) this.#watched.abort();
  }

  async #watch(signal: AbortSignal) {
    const { clock, timers, onStall } = this.#settings;
    for (let waitedMs = timers.stallMs; ; waitedMs += timers.stallMs) {
      await clock.sleep(timers.stallMs, signal);
      if (signal.aborted) return;
      if (!this.#parts.isIdle()) continue;
      const says = `nothing came for ${formatDuration(waitedMs / 1000)} since the link is back`;
      this.#journal.record("notice", { detail: `stall: ${says}` });
      if (onStall === "fresh-id") return this.#parts.onFreshId(says);
      const advice =
        "If the job's status says that it runs, stop this agent and start it anew, or let it do so: --on-stall fresh-id";
      this.#journal.log("warn", `${says}: the job may wait in line, or the gateway is stuck. ${advice}`);
    }
  }
}
