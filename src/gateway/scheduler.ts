/** Hands cases to agents, both first come, first served. Thin: fairness between users and retries belong here. */
export class Scheduler<Case, Agent> {
  readonly #cases: Case[];
  readonly #free = new Set<Agent>();
  readonly #play: (agent: Agent, what: Case) => void;

  constructor(cases: readonly Case[], play: (agent: Agent, what: Case) => void) {
    this.#cases = [...cases];
    this.#play = play;
  }

  /** An agent is free. False when there is no case for it. */
  offer(agent: Agent): boolean {
    this.#free.add(agent);
    this.#match();
    return !this.#free.has(agent);
  }

  withdraw(agent: Agent): void {
    this.#free.delete(agent);
  }

  /** Gives no more cases out; returns those that nobody has. */
  stop(): Case[] {
    this.#free.clear();
    return this.#cases.splice(0);
  }

  #match() {
    for (const agent of this.#free) {
      const next = this.#cases.shift();
      if (next === undefined) return;
      this.#free.delete(agent);
      this.#play(agent, next);
    }
  }
}
