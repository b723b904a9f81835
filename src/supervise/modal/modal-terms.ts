import { formatDollars } from "../../base/dollars.ts";
import type { SendSummary } from "../../sync/send/describe-send.ts";
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
  /** Variables for the command that are no secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** What of the code goes into the container; null: an own app says that itself. */
  readonly sent: SendSummary | null;
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

/** Why no cap says yes to a plan, for people; null: it covers what the run is estimated to cost at most. */
export function findCapProblem({ cost, cap }: Pick<ModalTerms, "cost" | "cap">): string | null {
  if (cap.dollars === null)
    return "Nothing says how much this may cost, and --yes alone never spends: give --max-cost, or set max_budget.";
  const most = `${formatDollars(cap.dollars)} (${cap.source})`;
  if (cost === null)
    return `What this costs cannot be told beforehand, so that --yes cannot keep it below ${most}: a person must confirm it.`;
  if (cost.dollars <= cap.dollars) return null;
  return `This may cost ${formatDollars(cost.dollars)}, which is more than ${most}: raise that, or set a shorter modal_timeout.`;
}
