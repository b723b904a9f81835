import type { Duplex } from "node:stream";
import { describeFault, SortieError } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import { openOutput } from "../process/open-output.ts";
import { type GroupOptions, type ProcessGroup, startGroup } from "../process/process-group.ts";
import { makeSocketPair } from "../process/socket-pair.ts";
import { FrameReader, type WorkerFrameFault } from "../wire/frame-reader.ts";
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

/** Starts a worker process; calls are its descriptor 3, answers its descriptor 4. Never rejects. */
export async function startWorkerLink(
  argv: readonly string[],
  options: Omit<GroupOptions, "channels">,
  onLog: (line: string) => void,
): Promise<WorkerLink | { readonly notStarted: string }> {
  const reader = new FrameReader(Buffer.allocUnsafeSlow);
  let link: WorkerLink | undefined; // there before the first byte can be
  const onread = {
    buffer: () => reader.target,
    callback(bytes: number) {
      link?.take(reader.take(bytes), reader.fault);
      return true;
    },
  };
  try {
    const { ours, theirs } = await makeSocketPair(onread);
    const output = openOutput(options.outputFd);
    const group = await startGroup(argv, { ...options, outputFd: output.fd, channels: ["socket", theirs] });
    output.close();
    theirs.destroy();
    if ("notStarted" in group) {
      ours.destroy();
      return group;
    }
    link = new WorkerLink(group, ours, onLog);
    return link;
  } catch (fault) {
    return { notStarted: describeFault(fault) };
  }
}

/** A worker process and its frames: each call is answered by one frame, or rejects when the process ends. */
export class WorkerLink {
  /** Resolves when the worker ended without being asked to. */
  readonly died: Promise<SortieError>;
  readonly #group: ProcessGroup;
  readonly #onLog: (line: string) => void;
  readonly #calls: Duplex;
  #open: OpenCall | undefined;
  #activity: WorkerActivity = "while it was imported";
  #over: SortieError | undefined;
  #isStopping = false;

  constructor(group: ProcessGroup, answers: Duplex, onLog: (line: string) => void) {
    this.#group = group;
    this.#onLog = onLog;
    this.#calls = group.channels[0] as Duplex;
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

  take(frames: readonly WorkerFrame[], fault: WorkerFrameFault | undefined) {
    for (const frame of frames) {
      if (frame.type === "log") this.#onLog(makePrintable(new TextDecoder().decode(frame.payload)));
      else this.#settle(frame);
    }
    if (fault === undefined || this.#over !== undefined) return;
    void this.end(makeDeath(this.#activity, `it wrote bytes that are no frame (${fault})`), 0);
  }

  /** Ends a worker that is ending by itself, after a moment for it, or that cannot be understood. Calls reject from now on. */
  async end(error: SortieError, patienceMs = STOP_PATIENCE_MS) {
    this.#over = error;
    await this.#group.stop(patienceMs);
  }

  /** A worker that is busy does not hear a word, so it is not waited for. */
  async stop() {
    const patienceMs = this.#activity === "while it was idle" ? STOP_PATIENCE_MS : 0;
    if (!this.#isStopping) {
      this.#isStopping = true;
      if (this.#over === undefined) this.#send("stop", EMPTY, EMPTY);
      this.#finish(this.#over ?? new SortieError("handler_stopped"));
    }
    await this.#group.stop(patienceMs);
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
