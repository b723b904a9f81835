import type { Store } from "../../store/store.ts";
import type { JobRun } from "../job-run.ts";
import { forgetAgent, keepAgent } from "../records/agents.ts";
import type { Tunnel } from "../tunnel.ts";

/** Keeps on record how agents are, a second late at most: ten thousand that dial at once are one change of the database. */
export class AgentBook {
  readonly #records: Store;
  /** Of each job, the agents that changed. */
  readonly #changed = new Map<number, Set<string>>();

  constructor(records: Store) {
    this.#records = records;
  }

  note(jobId: number, agentId: string): void {
    const agents = this.#changed.get(jobId) ?? new Set();
    this.#changed.set(jobId, agents.add(agentId));
  }

  /** Writes what changed; `findJob` knows the jobs that live. */
  flush(findJob: (id: number) => JobRun | undefined, now: Date): void {
    if (this.#changed.size === 0) return;
    this.#records.together(() => {
      for (const [jobId, agents] of this.#changed) {
        const tunnels = findJob(jobId)?.tunnels;
        for (const agentId of agents) this.#write(jobId, agentId, tunnels?.get(agentId), now);
      }
    });
    this.#changed.clear();
  }

  #write(jobId: number, agentId: string, tunnel: Tunnel | undefined, now: Date) {
    if (tunnel === undefined) return forgetAgent(this.#records, jobId, agentId);
    const { state, link, session } = tunnel;
    keepAgent(this.#records, {
      ...{ jobId, agentId, state },
      isConnected: link !== undefined,
      sessionId: session?.sessionId ?? null,
      peer: link?.peer ?? null,
      changedAt: now.toISOString(),
    });
  }
}
