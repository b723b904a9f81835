import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { isWithin } from "../base/is-within.ts";
import { makePrintable } from "../base/printable.ts";
import { killTrees } from "../process/kill-processes.ts";
import { listChildrenOfThread } from "../process/process-tree.ts";
import { decodeSessionId, makeSessionKey } from "../wire/session-id.ts";
import { CallSlot } from "./call-slot.ts";
import { exitPastThread } from "./exit-past-thread.ts";
import type { HandlerFacts } from "./handler-options.ts";
import type { HandlerSettings } from "./handler-settings.ts";
import type { HandlerSpec } from "./handler-spec.ts";
import workerText from "./js-handler.worker.cjs";
import { makeStartError } from "./start-error.ts";
import { type HandlerCall, shorten, type WorkerFault } from "./worker-fault.ts";

/** What answers a call; `imported` comes unasked, once. */
export type ThreadAnswer =
  | { readonly type: "imported"; readonly facts: HandlerFacts }
  | { readonly type: "done" }
  | { readonly type: "reply"; readonly buffer: ArrayBuffer; readonly offset: number; readonly length: number }
  | ({ readonly type: "fault" } & WorkerFault);

type ThreadMessage =
  | ThreadAnswer
  | { readonly type: "log"; readonly text: string }
  /** Its number in the kernel; absent where there is none to be had. */
  | { readonly type: "begun"; readonly threadId?: number }
  /** Nothing is left that it could wait for. */
  | { readonly type: "emptied" };

const EMPTY: Uint8Array = new Uint8Array();
const EMPTIED = "it ended before it had a handler, at an await that nothing settles";
/** Only code that is stuck outside JavaScript holds a thread for longer after it was told to end. */
const LEAVE_AFTER_MS = 2000;

/** A worker thread and its messages: each call is answered by one message, or rejects when the thread ends. */
export class JsThread {
  readonly #settings: HandlerSettings;
  readonly #slot = new CallSlot<ThreadAnswer>();
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #exited: Promise<void>;
  #threadId: number | undefined;
  #isEmptied = false;
  #stopped: Promise<void> | undefined;

  constructor({ file, name }: HandlerSpec & { language: "javascript" }, settings: HandlerSettings) {
    this.#settings = settings;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = new Worker(workerText, {
      eval: true,
      workerData: { port: port2, file, name, outputFd: settings.outputFd },
      transferList: [port2],
      env: settings.env as NodeJS.ProcessEnv,
      argv: [],
      stdout: true,
      stderr: true,
    });
    port1.on("message", (message: ThreadMessage) => this.#take(message));
    let fault: unknown;
    this.#worker.on("error", (error) => {
      fault = error;
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.once("exit", (code) => {
        this.#takeLast();
        this.#threadId = undefined;
        if (isNotBegun(fault)) this.#slot.end(makeStartError(process.execPath, fault.message, settings));
        this.#slot.close(this.#isEmptied ? EMPTIED : describeThreadEnd(code, fault));
        port1.close();
        resolve();
      });
    });
  }

  /** Resolves when the thread ended without being asked to. */
  get died() {
    return this.#slot.died;
  }

  /** The message that the thread sends unasked, when its file is imported or cannot be. */
  waitForFirst(): Promise<ThreadAnswer> {
    return this.#slot.ask("while it was imported", () => undefined);
  }

  call(call: HandlerCall, sid = EMPTY, payload?: Uint8Array): Promise<ThreadAnswer> {
    return this.#slot.ask(`in ${call}`, () => {
      const sessionId = decodeSessionId(sid) ?? makeSessionKey(sid);
      const copy = payload === undefined ? undefined : copyBytes(payload);
      this.#port.postMessage({ call, sessionId, payload: copy }, copy === undefined ? [] : [copy]);
    });
  }

  /** Ends the thread, and what it started and is still a child of it. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop() {
    this.#slot.stop();
    this.#takeLast();
    this.#port.close();
    // Before the end of the thread, which hands its children to another thread of this process.
    const children = this.#threadId === undefined ? [] : await listChildrenOfThread(this.#threadId);
    void this.#worker.terminate();
    const { clock } = this.#settings;
    const left = isWithin(this.#exited, LEAVE_AFTER_MS, clock);
    await killTrees(children, clock);
    if (!(await left)) exitPastThread(this.#exited);
  }

  #take(message: ThreadMessage) {
    if (message.type === "log") this.#settings.onLog(makePrintable(message.text));
    else if (message.type === "begun") this.#threadId = message.threadId;
    else if (message.type === "emptied") this.#isEmptied = true;
    else this.#slot.answer(message);
  }

  /** Messages that were sent and not told yet: the end of a thread may overtake its last ones. */
  #takeLast() {
    for (;;) {
      const last: { readonly message: ThreadMessage } | undefined = receiveMessageOnPort(this.#port);
      if (last === undefined) return;
      this.#take(last.message);
    }
  }
}

/** The payload stays the caller's, so the thread gets a copy, which moves there without another. */
function copyBytes(payload: Uint8Array): ArrayBuffer {
  const copy = Buffer.allocUnsafeSlow(payload.length);
  copy.set(payload);
  return copy.buffer;
}

/** A thread that Node could not make, as where no descriptors are left for it. */
function isNotBegun(fault: unknown): fault is Error {
  return fault instanceof Error && "code" in fault && fault.code === "ERR_WORKER_INIT_FAILED";
}

function describeThreadEnd(code: number, fault: unknown): string {
  if (fault === undefined) return `it called process.exit(${code})`;
  return `nothing caught ${shorten(fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault))}`;
}
