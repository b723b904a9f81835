import type { FrameHandler } from "../wire/handler.ts";

/** Makes the calls of a handler one after the other, in the order in which they are asked for. */
export class HandlerLine {
  readonly #handler: FrameHandler;
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;
  #loaded: Promise<void> | undefined;
  /** Why it could not be loaded: then nothing else is asked of it. */
  #fault: { readonly thrown: unknown } | undefined;

  constructor(handler: FrameHandler) {
    this.#handler = handler;
  }

  get isIdle(): boolean {
    return !this.#isBusy;
  }

  /** Loads at the first call; every later one gives the same answer. */
  load(): Promise<void> {
    this.#loaded ??= this.run(async (handler) => {
      try {
        await handler.load();
      } catch (thrown) {
        this.#fault = { thrown };
        throw thrown;
      }
    });
    return this.#loaded;
  }

  /** Makes a call when all before it have settled: at once where there is none. */
  run<Answer>(call: (handler: FrameHandler) => Promise<Answer>): Promise<Answer> {
    if (!this.#isBusy) return this.#start(call);
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => this.#start(call).then(resolve, reject));
    });
  }

  async #start<Answer>(call: (handler: FrameHandler) => Promise<Answer>): Promise<Answer> {
    this.#isBusy = true;
    try {
      if (this.#fault !== undefined) throw this.#fault.thrown;
      return await call(this.#handler);
    } finally {
      this.#isBusy = false;
      this.#waiting.shift()?.();
    }
  }
}
