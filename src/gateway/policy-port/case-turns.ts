import type { Policy } from "../simulator.ts";

interface Turn {
  readonly observation: Uint8Array;
  readonly action: Promise<Uint8Array>;
}

/**
 * The observations of a case and their actions. An action whose arrival nobody saw is kept while the simulator is away:
 * should it send that observation again, byte for byte, the agent is not asked a second time.
 */
export class CaseTurns {
  readonly #policy: Policy;
  #turn: Turn | undefined;
  #missed: Turn | undefined;
  #answered = 0;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** How many actions the agent gave. */
  get answered(): number {
    return this.#answered;
  }

  /** The action for an observation; rejects when the policy does. */
  take(observation: Uint8Array): Promise<Uint8Array> {
    const missed = this.#missed;
    this.#missed = undefined;
    const isSame = missed !== undefined && Buffer.compare(missed.observation, observation) === 0;
    this.#turn = isSame ? missed : { observation, action: this.#infer(observation, missed?.action) };
    return this.#turn.action;
  }

  /** The last action has arrived. */
  settle(): void {
    this.#turn = undefined;
  }

  /** The simulator left, perhaps without its last action. */
  interrupt(): void {
    this.#missed = this.#turn ?? this.#missed;
    this.#turn = undefined;
  }

  /** A session has one observation at a time: one that waits, though nobody wants its action any more, comes first. */
  async #infer(observation: Uint8Array, before: Promise<unknown> | undefined): Promise<Uint8Array> {
    await before;
    const action = await this.#policy.infer(observation);
    this.#answered += 1;
    return action;
  }
}
