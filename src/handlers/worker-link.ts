import type { Duplex } from "node:stream";
import { SortieError } from "../base/error.ts";
import type { ProcessGroup } from "../process/process-group.ts";
import { FrameReader } from "../wire/frame-reader.ts";
import { makeWorkerHeader, type WorkerFrame, type WorkerFrameType } from "../wire/worker-frame.ts";
import { describeEnd } from "./describe-end.ts";
import { makeDeath, type WorkerActivity } from "./worker-fault.ts";

interface OpenCall {
  readonly resolve: (answer: WorkerFrame) => void;
  readonly reject: (error: SortieError) => void;
}

/** How long the last words of a worker are waited for after its end, where something else holds its descriptor. */
const LAST_WORDS_MS = 300;
const STOP_PATIENCE_MS = 1500;
const EMPTY: Uint8Array = new Uint8Array();

/** A worker process and its frames: each call is answered by one frame, or rejects when the process ends. */
export class WorkerLink {
  /** Resolves when the worker ended without being asked to. */
  readonly died: Promise<SortieError>;
  readonly #group: ProcessGroup;
  readonly #onLog: (line: string) => void;
  readonly #reader = new FrameReader();
  readonly #calls: Duplex;
  #open: OpenCall | undefined;
  #activity: WorkerActivity = "while it was imported";
  #over: SortieError | undefined;
  #isStopping = false;

  constructor(group: ProcessGroup, onLog: (line: string) => void) {
    const [calls, answers] = group.channels as [Duplex, Duplex];
    this.#group = group;
    this.#onLog = onLog;
    this.#calls = calls;
    answers.on("data", (chunk: Buffer) => this.#take(chunk));
    this.died = new Promise((resolve) => {
      void waitForLastWords(group, answers).then((end) => {
        const error = this.#over ?? makeDeath(this.#activity, describeEnd(end));
        this.#finish(error);
        if (!this.#isStopping) resolve(error);
      });
    });
  }

  /** Bytes that are no frame; they go before everything else. */
  sendRaw(bytes: Uint8Array) {
    this.#calls.write(bytes);
  }

  /** The frame that the worker sends unasked, when its module is imported or cannot be. */
  waitForFirst(): Promise<WorkerFrame> {
    return this.#waitForAnswer("while it was imported");
  }

  call(type: "load" | "open" | "close" | "handle", sid = EMPTY, payload = EMPTY): Promise<WorkerFrame> {
    const answer = this.#waitForAnswer(`in ${type}`);
    if (this.#over === undefined) this.#send(type, sid, payload);
    return answer;
  }

  /** The worker is ending by itself and is given a moment; a call that comes now rejects as one after its end. */
  async end(error: SortieError) {
    this.#over = error;
    await this.#group.stop(STOP_PATIENCE_MS);
  }

  async stop() {
    if (!this.#isStopping) {
      this.#isStopping = true;
      if (this.#over === undefined) this.#send("stop", EMPTY, EMPTY);
      this.#finish(new SortieError("handler_stopped"));
    }
    await this.#group.stop(STOP_PATIENCE_MS);
  }

  #waitForAnswer(activity: WorkerActivity): Promise<WorkerFrame> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    this.#activity = activity;
    return new Promise((resolve, reject) => {
      this.#open = { resolve, reject };
    });
  }

  /** Two writes that leave as one: the payload is not copied. */
  #send(type: WorkerFrameType, sid: Uint8Array, payload: Uint8Array) {
    this.#calls.cork();
    this.#calls.write(makeWorkerHeader(type, sid, payload.length));
    if (payload.length > 0) this.#calls.write(payload);
    this.#calls.uncork();
  }

  #take(chunk: Buffer) {
    for (const frame of this.#reader.push(chunk)) {
      if (frame.type === "log") this.#onLog(new TextDecoder().decode(frame.payload));
      else this.#settle(frame);
    }
    if (this.#reader.fault === undefined || this.#over !== undefined) return;
    void this.end(makeDeath(this.#activity, `it wrote bytes that are no frame (${this.#reader.fault})`));
  }

  #settle(answer: WorkerFrame) {
    const call = this.#open;
    this.#open = undefined;
    this.#activity = "while it was idle";
    call?.resolve(answer);
  }

  #finish(error: SortieError) {
    this.#over = error;
    this.#open?.reject(error);
    this.#open = undefined;
  }
}

/** The end of the process; frames that it wrote before have been read then. */
async function waitForLastWords({ ended }: ProcessGroup, answers: Duplex) {
  const closed = new Promise<void>((resolve) => {
    answers.once("end", resolve);
    answers.once("close", resolve);
  });
  const end = await ended;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LAST_WORDS_MS);
  });
  await Promise.race([closed, late]);
  clearTimeout(timer);
  answers.destroy();
  return end;
}
