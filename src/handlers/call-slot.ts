import { SortieError } from "../base/error.ts";
import { makeDeath, type WorkerActivity } from "./worker-fault.ts";

/** `ending`: it was found to be at its end, or is beyond use, and its process or thread is still there. */
type SlotState<Answer> =
  | { readonly kind: "free"; readonly activity: WorkerActivity }
  | {
      readonly kind: "asked";
      readonly activity: WorkerActivity;
      readonly resolve: (answer: Answer) => void;
      readonly reject: (error: SortieError) => void;
    }
  | { readonly kind: "ending" | "stopped" | "died"; readonly error: SortieError };

const legalMoves: Readonly<Record<SlotState<unknown>["kind"], readonly SlotState<unknown>["kind"][]>> = {
  free: ["asked", "ending", "stopped", "died"],
  asked: ["free", "ending", "stopped", "died"],
  ending: ["stopped", "died"],
  stopped: [],
  died: [],
};

/** The one call at a time that a worker answers, and whether it can be called at all. */
export class CallSlot<Answer> {
  /** Resolves when the worker ended without being asked to. */
  readonly died: Promise<SortieError>;
  #tellDeath: (error: SortieError) => void = () => undefined;
  #state: SlotState<Answer> = { kind: "free", activity: "while it was imported" };

  constructor() {
    this.died = new Promise((resolve) => {
      this.#tellDeath = resolve;
    });
  }

  /** What the worker does; undefined once it cannot be called any more. */
  get activity(): WorkerActivity | undefined {
    return "activity" in this.#state ? this.#state.activity : undefined;
  }

  /** Sends a call; its answer, or the error of the worker's end. */
  ask(activity: WorkerActivity, send: () => void): Promise<Answer> {
    const state = this.#state;
    if ("error" in state) return Promise.reject(state.error);
    if (state.kind === "asked")
      return Promise.reject(
        new SortieError("internal", { reason: `the handler is still ${state.activity}` }),
      );
    return new Promise((resolve, reject) => {
      send();
      this.#move({ kind: "asked", activity, resolve, reject });
    });
  }

  /** Without effect where nothing was asked. */
  answer(answer: Answer) {
    if (this.#state.kind !== "asked") return;
    const { resolve } = this.#state;
    this.#move({ kind: "free", activity: "while it was idle" });
    resolve(answer);
  }

  /** From now on calls reject with this error; it is also what `died` will tell. */
  end(error: SortieError) {
    this.#move({ kind: "ending", error });
  }

  /** From now on calls reject with `handler_stopped`, or with what ended the worker already. */
  stop() {
    const error = "error" in this.#state ? this.#state.error : new SortieError("handler_stopped");
    this.#move({ kind: "stopped", error });
  }

  /** To be called when the worker is gone. `how`: the rest of the sentence about its end. */
  close(how: string) {
    const state = this.#state;
    const error = "error" in state ? state.error : makeDeath(state.activity, how);
    if (this.#move({ kind: "died", error })) this.#tellDeath(error);
  }

  /** False for a move that is not legal; the state stays then. */
  #move(next: SlotState<Answer>): boolean {
    const before = this.#state;
    if (!legalMoves[before.kind].includes(next.kind)) return false;
    this.#state = next;
    if (before.kind === "asked" && "error" in next) before.reject(next.error);
    return true;
  }
}
