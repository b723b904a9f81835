import type { SortieError } from "../base/error.ts";
import type { FrameHandler } from "../wire/handler.ts";
import { type HandlerCall, toHandlerFault } from "./handler-fault.ts";

/** Calls that may wait; of a gateway that keeps to the protocol, hardly any do. */
const MOST_WAITING = 1_000;

/** Makes the calls of a handler one after the other, in the order in which they are asked for. */
export class HandlerLine {
  readonly #handler: FrameHandler;
  readonly #waiting: (() => void)[] = [];
  #running: HandlerCall | "nothing" | undefined;
  #loaded: Promise<void> | undefined;
  /** Why it could not be loaded: then nothing else is asked of it. */
  #fault: SortieError | undefined;

  constructor(handler: FrameHandler) {
    this.#handler = handler;
  }

  /** Whether it is in a call that may take minutes. */
  get isAtWork(): boolean {
    return this.#running === "load" || this.#running === "handle";
  }

  /** Whether so many calls wait that none should be added for what a gateway sends. */
  get isFull(): boolean {
    return this.#waiting.length >= MOST_WAITING;
  }

  /** Loads at the first call; every later one gives the same answer. SortieError where it cannot be loaded. */
  load(): Promise<void> {
    this.#loaded ??= this.run("load", async (handler) => {
      try {
        await handler.load();
      } catch (thrown) {
        this.#fault = toHandlerFault(thrown, "load");
        throw this.#fault;
      }
    });
    return this.#loaded;
  }

  /** Makes a call when all before it have settled: at once where there is none. */
  run<Answer>(
    name: HandlerCall | "nothing",
    call: (handler: FrameHandler) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.#running === undefined) return this.#start(name, call);
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => this.#start(name, call).then(resolve, reject));
    });
  }

  /** Resolves when all calls that were asked for so far have settled. */
  async waitForTurn() {
    await this.run("nothing", async () => undefined).catch(() => undefined); // it could not be loaded
  }

  async #start<Answer>(
    name: HandlerCall | "nothing",
    call: (handler: FrameHandler) => Promise<Answer>,
  ): Promise<Answer> {
    this.#running = name;
    try {
      if (this.#fault !== undefined) throw this.#fault;
      return await call(this.#handler);
    } finally {
      this.#running = undefined;
      this.#waiting.shift()?.();
    }
  }
}
