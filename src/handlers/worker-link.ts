import type { Duplex } from "node:stream";
import type { SortieError } from "../base/error.ts";
import { isWithin } from "../base/is-within.ts";
import { makePrintable } from "../base/printable.ts";
import { openOutput } from "../process/open-output.ts";
import { type GroupEnd, type ProcessGroup, startGroup } from "../process/process-group.ts";
import { makeSocketPair } from "../process/socket-pair.ts";
import { FrameReader, type WorkerFrameFault } from "../wire/frame-reader.ts";
import { makeWorkerHeader, type WorkerFrame, type WorkerFrameType } from "../wire/worker-frame.ts";
import { CallSlot } from "./call-slot.ts";
import { describeProcessEnd } from "./describe-process-end.ts";
import type { HandlerSettings } from "./handler-settings.ts";
import { type HandlerCall, makeDeath } from "./worker-fault.ts";

/** How long the last words of a worker are waited for after its end, where something else holds its descriptor. */
const LAST_WORDS_MS = 300;
const STOP_PATIENCE_MS = 1500;
const EMPTY: Uint8Array = new Uint8Array();

/** Starts a worker process; calls are its descriptor 3, answers its descriptor 4. Never rejects. */
export async function startWorkerLink(
  argv: readonly string[],
  settings: HandlerSettings,
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
  const pair = await makeSocketPair(onread);
  if ("notMade" in pair) return { notStarted: pair.notMade };
  const { ours, theirs } = pair;
  const output = openOutput(settings.outputFd);
  const { cwd, env, clock } = settings;
  const group = await startGroup(argv, {
    cwd,
    env,
    clock,
    outputFd: output.fd,
    channels: ["socket", theirs],
  });
  output.close();
  theirs.destroy();
  if ("notStarted" in group) {
    ours.destroy();
    return group;
  }
  link = new WorkerLink(group, ours, settings);
  return link;
}

/** A worker process and its frames: each call is answered by one frame, or rejects when the process ends. */
export class WorkerLink {
  readonly #group: ProcessGroup;
  readonly #settings: HandlerSettings;
  readonly #calls: Duplex;
  readonly #slot = new CallSlot<WorkerFrame>();
  /** Whether it was idle when it was told to stop: then it hears it, and is waited for. */
  #hearsStop = false;

  constructor(group: ProcessGroup, answers: Duplex, settings: HandlerSettings) {
    this.#group = group;
    this.#settings = settings;
    this.#calls = group.channels[0] as Duplex;
    void waitForLastWords(group, answers, settings).then((end) => this.#slot.close(describeProcessEnd(end)));
  }

  /** Resolves when the worker ended without being asked to. */
  get died() {
    return this.#slot.died;
  }

  /** Bytes that are no frame; they go before everything else. */
  sendRaw(bytes: Uint8Array) {
    this.#calls.write(bytes);
  }

  /** The frame that the worker sends unasked, when its module is imported or cannot be. */
  waitForFirst(): Promise<WorkerFrame> {
    return this.#slot.ask("while it was imported", () => undefined);
  }

  call(type: HandlerCall, sid = EMPTY, payload = EMPTY): Promise<WorkerFrame> {
    return this.#slot.ask(`in ${type}`, () => this.#send(type, sid, payload));
  }

  take(frames: readonly WorkerFrame[], fault: WorkerFrameFault | undefined) {
    for (const frame of frames) {
      if (frame.type === "log") this.#settings.onLog(makePrintable(new TextDecoder().decode(frame.payload)));
      else this.#slot.answer(frame);
    }
    const { activity } = this.#slot;
    if (fault === undefined || activity === undefined) return;
    void this.end(makeDeath(activity, `it wrote bytes that are no frame (${fault})`), 0);
  }

  /** Ends a worker that is ending by itself, after a moment for it, or that cannot be understood. Calls reject from now on. */
  async end(error: SortieError, patienceMs = STOP_PATIENCE_MS) {
    this.#slot.end(error);
    await this.#group.stop(patienceMs);
  }

  /** A worker that is busy does not hear a word, so it is not waited for. Called again, it may only end earlier. */
  async stop(patienceMs = STOP_PATIENCE_MS) {
    const { activity } = this.#slot;
    if (activity !== undefined) {
      this.#hearsStop = activity === "while it was idle";
      this.#send("stop", EMPTY, EMPTY);
    }
    this.#slot.stop();
    await this.#group.stop(this.#hearsStop ? patienceMs : 0);
  }

  /** Two writes that leave as one: the payload is not copied. */
  #send(type: WorkerFrameType, sid: Uint8Array, payload: Uint8Array) {
    this.#calls.cork();
    this.#calls.write(makeWorkerHeader(type, sid, payload.length));
    if (payload.length > 0) this.#calls.write(payload);
    this.#calls.uncork();
  }
}

/** The end of the process; frames that it wrote before have been read then. */
async function waitForLastWords(
  { ended }: ProcessGroup,
  answers: Duplex,
  { clock }: HandlerSettings,
): Promise<GroupEnd> {
  const closed = new Promise<void>((resolve) => {
    answers.once("end", resolve);
    answers.once("close", resolve);
  });
  const end = await ended;
  await isWithin(closed, LAST_WORDS_MS, clock);
  answers.destroy();
  return end;
}
