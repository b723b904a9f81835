import type { Trust } from "../../env/tiers/judge-trust.ts";
import type { EnvironmentSight } from "./look-at-environment.ts";
import { type EnvironmentPlace, findPlace, judgeContract } from "./plan-contract.ts";

export type { EnvironmentSight };

export interface Judgement {
  /** null: it is not there. */
  readonly place: EnvironmentPlace | null;
  /** On all cards of its host. */
  readonly trust: Trust;
}

/** What is true of an environment on its host, and what is due there. */
export function judgeSight({ contract, status }: Pick<EnvironmentSight, "contract" | "status">): Judgement {
  const { loaded, requirements, document } = contract;
  const place = findPlace(contract, { status });
  const cards = status.cards !== null && status.cards.length > 0 ? status.cards : null;
  const question = { spec: loaded.spec, requirements, document: document.hash };
  return { place, trust: judgeContract(question, { status, place, cards }) };
}
