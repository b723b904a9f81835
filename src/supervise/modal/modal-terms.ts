import type { ModalSetting } from "../../targets/modal/fault-rows.ts";
import type { CostEstimate } from "../../targets/modal/prices.ts";

/** What a plan has run on Modal, and on what terms. */
export interface ModalTerms {
  /** Known before the run is: the launcher and its volume's folder are named after it. */
  readonly runId: string;
  /** The Python file as `modal run` takes it in the folder of the run, or a module. */
  readonly app: string;
  /** `launcher`: a plain script, which a launcher of Sortie's starts. */
  readonly kind: "own app" | "launcher";
  /** Of an own app; of a launcher it has no say. */
  readonly function: string | null;
  /** What an own app's function gets. */
  readonly args: readonly string[];
  readonly takes: "any" | "options";
  /** Who pays; null: the program is too old to say. */
  readonly workspace: string | null;
  /** In Modal's words, the first that is to be had is taken; `unknown`: only running the app would tell. */
  readonly gpus: readonly string[] | "unknown";
  /** Where that comes from, for people. */
  readonly gpuSource: string;
  /** Of the command; null: it cannot be read from the app. */
  readonly timeoutS: number | null;
  /** The first keeps the results of a launcher. */
  readonly volumes: readonly string[];
  readonly secrets: readonly string[];
  /** What the container is made of, for people. */
  readonly image: string;
  /** null: it is an own app, or all that it needs is in the code. */
  readonly launcherHash: string | null;
  /** For the whole time limit; null: it cannot be told. */
  readonly cost: ModalCost | null;
  readonly cap: ModalCap;
  /** What each setting means now, by which a fault of an earlier launch is known to stand. */
  readonly states: ModalStates;
}

export interface ModalCost extends CostEstimate {
  readonly seconds: number;
}

/** The most that the run may cost; null: nobody has said. */
export interface ModalCap {
  readonly dollars: number | null;
  /** Where it stands, for people. */
  readonly source: string;
}

export type ModalStates = Readonly<Partial<Record<ModalSetting, string>>>;

/** The most that it may cost does not cover what it is estimated to cost. */
export function findCapProblem({ cost, cap }: Pick<ModalTerms, "cost" | "cap">): string | null {
  if (cap.dollars === null) return "nothing says how much it may cost";
  if (cost === null) return "what it costs cannot be told beforehand";
  return cost.dollars > cap.dollars ? "it may cost more than the cap" : null;
}
