import type { Card, Interpreter } from "../key-of-trust.ts";

/** 1: it imports. 2: the witness computes. 3: the documented command does what its document says. */
export type Tier = 1 | 2 | 3;

/** One try of a tier, as a line of the host's records; the newest of a key counts. */
export interface TierRecord {
  readonly tier: Tier;
  readonly passed: boolean;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Its prefix; of one that a person has made, the path of its interpreter. */
  readonly environment: string;
  readonly interpreter: Interpreter;
  /** Of tier 2: the card it computed on; null: a CPU. */
  readonly card: Card | null;
  /** Of tier 2: the CUDA that the library uses. */
  readonly cuda: string | null;
  /** Of tier 2: what computed, as in `torch 2.4.0`; null: the spec's own tests. */
  readonly library: string | null;
  /** Of tier 3: the hash of what is documented. */
  readonly document: string | null;
  /** One line: what was shown, or why it failed. */
  readonly message: string;
}
