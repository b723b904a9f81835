import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { SortieError } from "../base/error.ts";
import { decodeSessionId, makeSessionKey } from "../wire/session-id.ts";
import { makeHandlerEnvironment } from "./handler-environment.ts";
import type { HandlerFacts, HandlerOptions } from "./handler-options.ts";
import type { HandlerSpec } from "./handler-spec.ts";
import workerText from "./js-handler.worker.cjs";
import { makeDeath, shorten, type WorkerActivity, type WorkerFault } from "./worker-fault.ts";

export type ThreadCall = "load" | "open" | "close" | "handle";

/** A message of the thread. */
export type ThreadAnswer =
  | {
      readonly type: "imported";
      readonly offers: HandlerFacts["offers"];
      readonly version: string;
      readonly program: string;
    }
  | { readonly type: "done" }
  | { readonly type: "reply"; readonly buffer: ArrayBuffer; readonly offset: number; readonly length: number }
  | ({ readonly type: "fault" } & WorkerFault);

interface OpenCall {
  readonly resolve: (answer: ThreadAnswer) => void;
  readonly reject: (error: SortieError) => void;
}

/** Only code that is stuck outside JavaScript holds a thread for longer after it was told to end. */
const LEAVE_AFTER_MS = 2000;

/** A worker thread and its messages: each call is answered by one message, or rejects when the thread ends. */
export class JsThread {
  /** Resolves when the thread ended without being asked to. */
  readonly died: Promise<SortieError>;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #exited: Promise<void>;
  #open: OpenCall | undefined;
  #activity: WorkerActivity = "while it was imported";
  #over: SortieError | undefined;
  #isStopping = false;

  constructor({ file, name }: HandlerSpec & { language: "javascript" }, options: HandlerOptions) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = new Worker(workerText, {
      eval: true,
      workerData: { port: port2, file, name, outputFd: options.outputFd ?? 2 },
      transferList: [port2],
      env: makeHandlerEnvironment(options.env, options.gpu) as NodeJS.ProcessEnv,
      argv: [],
      stdout: true,
      stderr: true,
    });
    port1.on("message", (answer: ThreadAnswer) => this.#settle(answer));
    let fault: unknown;
    this.#worker.on("error", (error) => {
      fault = error;
    });
    this.#exited = new Promise((resolve) => this.#worker.once("exit", () => resolve()));
    this.died = new Promise((resolve) => {
      this.#worker.once("exit", (code) => {
        this.#settleLast();
        const error = this.#over ?? makeDeath(this.#activity, describeThreadEnd(code, fault));
        this.#finish(error);
        if (!this.#isStopping) resolve(error);
      });
    });
  }

  /** The message that the thread sends unasked, when its file is imported or cannot be. */
  waitForFirst(): Promise<ThreadAnswer> {
    return this.#waitForAnswer("while it was imported");
  }

  call(call: ThreadCall, sid: Uint8Array = new Uint8Array(), payload?: Uint8Array): Promise<ThreadAnswer> {
    const answer = this.#waitForAnswer(`in ${call}`);
    if (this.#over !== undefined) return answer;
    const sessionId = decodeSessionId(sid) ?? makeSessionKey(sid);
    const copy = payload === undefined ? undefined : copyBytes(payload);
    this.#port.postMessage({ call, sessionId, payload: copy }, copy === undefined ? [] : [copy]);
    return answer;
  }

  async stop() {
    this.#isStopping = true;
    this.#finish(this.#over ?? new SortieError("handler_stopped"));
    void this.#worker.terminate();
    await Promise.race([this.#exited, waitUnref(LEAVE_AFTER_MS)]);
  }

  #waitForAnswer(activity: WorkerActivity): Promise<ThreadAnswer> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    this.#activity = activity;
    return new Promise((resolve, reject) => {
      this.#open = { resolve, reject };
    });
  }

  #settle(answer: ThreadAnswer) {
    const call = this.#open;
    this.#open = undefined;
    this.#activity = "while it was idle";
    call?.resolve(answer);
  }

  /** The end of a thread may be told before the last message that it sent. */
  #settleLast() {
    const last: { readonly message: ThreadAnswer } | undefined = receiveMessageOnPort(this.#port);
    if (last !== undefined) this.#settle(last.message);
  }

  #finish(error: SortieError) {
    this.#over = error;
    this.#port.close();
    this.#open?.reject(error);
    this.#open = undefined;
  }
}

/** The payload stays the caller's, so the thread gets a copy, which moves there without another. */
function copyBytes(payload: Uint8Array): ArrayBuffer {
  const copy = Buffer.allocUnsafeSlow(payload.length);
  copy.set(payload);
  return copy.buffer;
}

function describeThreadEnd(code: number, fault: unknown): string {
  if (fault === undefined) return `it called process.exit(${code})`;
  return `nothing caught ${shorten(fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault))}`;
}

function waitUnref(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
