import type { Clock } from "../base/clock.ts";
import type { SortieError } from "../base/error.ts";
import { makeErrorEnvelope } from "../payload/error-envelope.ts";
import type { FrameHandler } from "../wire/handler.ts";
import { showSessionId } from "../wire/session-id.ts";
import type { AgentJournal, FrameTimes } from "./agent-journal.ts";
import { Delivery } from "./delivery.ts";
import { EvidenceWait } from "./evidence-wait.ts";
import { checkBytes, tellFault, toHandlerFault } from "./handler-fault.ts";
import type { HandlerLine } from "./handler-line.ts";
import type { Link } from "./link.ts";
import { ObservationQueue } from "./observation-queue.ts";
import type { ReplyChecker } from "./reply-checker.ts";

export interface SessionParts {
  readonly line: HandlerLine;
  readonly checker: ReplyChecker;
  readonly journal: AgentJournal;
  readonly clock: Clock;
  readonly evidenceMs: number;
  /** A link is of use: a new observation came over it, or it brought a reply there. */
  readonly onProgress: () => void;
  /** The handler cannot be loaded, or answering failed otherwise than by it. */
  readonly onBroken: (thrown: unknown) => void;
  /** The handler failed at an observation. True: the session ends by it, and nothing is answered. */
  readonly onFault: (session: Session, fault: SortieError) => boolean;
}

export interface ResumeCount {
  readonly replies: number;
  readonly resend?: boolean;
}

/** One session of an agent, from its first frame to its end, over every link: observations in, replies out once each. */
export class Session {
  readonly sid: Uint8Array;
  /** Its id for people. */
  readonly name: string;
  readonly #parts: SessionParts;
  readonly #delivery: Delivery;
  readonly #over = new AbortController();
  readonly #queue = new ObservationQueue();
  readonly #evidence: EvidenceWait;
  #link: Link | undefined;
  #waiters: (() => void)[] = [];
  /** Why the handler has no state for it. */
  #fault: SortieError | undefined;

  /** `made`: how many replies of it an earlier process has sent. */
  constructor(sid: Uint8Array, parts: SessionParts, made = 0) {
    this.sid = Uint8Array.from(sid);
    this.name = showSessionId(sid);
    this.#parts = parts;
    this.#delivery = new Delivery(made);
    this.#evidence = new EvidenceWait(parts.clock);
    this.#call("open");
  }

  /** Observations that have no reply yet. */
  get openCount(): number {
    return this.#delivery.openCount;
  }

  /** Whether the last reply is known to have arrived; true where there is none. */
  get isProven(): boolean {
    return (this.#delivery.lastFate ?? "proven") === "proven";
  }

  /** Resolves when every observation has its reply, or the session is over. */
  async waitUntilAnswered() {
    while (!this.#over.signal.aborted && this.openCount > 0) await this.#waitForChange();
  }

  /** Resolves when the last reply that was made is known to have arrived, or the session is over. */
  async waitUntilProven() {
    while (!this.#over.signal.aborted && !this.isProven) await this.#waitForChange();
  }

  /**
   * Its first link, or, after a cut, the one over which it goes on. `isTold`: the gateway will say how far the session is, so
   * that silence says nothing.
   */
  attach(link: Link, { isResumed, isTold }: { isResumed: boolean; isTold: boolean }) {
    this.#link = link;
    if (!isResumed) return;
    const step = this.#delivery.startLink();
    if (step === "send") this.#send();
    if (step === "wait" && !isTold)
      this.#evidence.start(this.#parts.evidenceMs, link, () => this.sendInDoubt());
  }

  /** The link is gone. `isRefused`: the gateway says that it never was one. */
  detach(isRefused: boolean) {
    this.#link = undefined;
    this.#evidence.stop();
    if (isRefused) this.#delivery.dropLink();
  }

  take(observation: Uint8Array) {
    const { journal, line, clock, onProgress, onBroken } = this.#parts;
    const step = this.#delivery.take(observation);
    this.#evidence.stop();
    if (step === "send") return this.#sendAgain("its observation came again");
    if (step === "repeat")
      return journal.log("info", `session ${this.name}: dropped an observation that came twice`);
    onProgress();
    if (!this.#queue.add({ observation, cameMs: clock.monotonicMs() })) {
      this.#delivery.forgetLatest();
      journal.counts.lost += 1;
      return journal.logSome(
        "flood",
        "warn",
        "dropped an observation: too many wait for the handler already",
      );
    }
    return line.run("handle", (handler) => this.#answerNext(handler)).catch(onBroken);
  }

  /** The gateway says how far it is. */
  resume(count: ResumeCount) {
    this.#evidence.stop();
    if (this.#delivery.resume(count) === "send") this.#sendAgain(`the gateway has ${count.replies} replies`);
    this.#wake();
  }

  /** It ends here; what is still in the handler is thrown away. */
  close() {
    if (this.#over.signal.aborted) return;
    this.#parts.journal.counts.unproven += this.isProven ? 0 : 1;
    this.#over.abort();
    this.#evidence.stop();
    this.#queue.clear();
    this.#delivery.giveUpAll();
    this.#call("close");
    this.#wake();
  }

  /** Nothing shows whether the last reply arrived: should it be in doubt, it goes out again. */
  sendInDoubt() {
    this.#evidence.stop();
    if (this.#delivery.judgeSilence() === "send") this.#sendAgain("nothing shows that it arrived");
  }

  /** A reply that the gateway does not take because of its size becomes an error, or every link would end over it. */
  replaceRefused() {
    const reply = this.#delivery.lastReply;
    if (reply === undefined || this.isProven) return;
    const says = `the gateway takes no reply of ${reply.length} bytes`;
    this.#parts.journal.log("error", says);
    this.#delivery.replaceLast(makeErrorEnvelope(says));
  }

  #call(name: "open" | "close") {
    const call = async (handler: FrameHandler) => {
      try {
        await handler[name](this.sid);
      } catch (thrown) {
        const fault = toHandlerFault(thrown, name);
        if (name === "open") this.#fault = fault;
        else tellFault(this.#parts.journal, this.name, fault);
      }
    };
    this.#parts.line.run(name, call).catch(this.#parts.onBroken);
  }

  async #answerNext(handler: FrameHandler) {
    const { clock, checker, journal } = this.#parts;
    const next = this.#queue.take();
    if (next === undefined) return; // the session is over
    const { observation, cameMs } = next;
    const startedMs = clock.monotonicMs();
    let reply: Uint8Array;
    let isFault = false;
    try {
      if (this.#fault !== undefined) throw this.#fault;
      reply = checkBytes(await handler.handle(this.sid, observation));
    } catch (thrown) {
      if (this.#over.signal.aborted) return;
      const fault = toHandlerFault(thrown, "handle");
      tellFault(journal, this.name, fault);
      isFault = true;
      if (this.#parts.onFault(this, fault)) return;
      reply = makeErrorEnvelope(fault.message);
    }
    if (this.#over.signal.aborted) return;
    const handledMs = clock.monotonicMs();
    if (!isFault) reply = checker.check(observation, reply);
    const checkedMs = clock.monotonicMs();
    this.#delivery.answer(reply);
    journal.counts.replies += 1;
    this.#send({
      queue: startedMs - cameMs,
      handler: handledMs - startedMs,
      check: checkedMs - handledMs,
    });
    this.#wake();
  }

  /** Sends the last reply if there is a link; else it is kept. */
  #send(times?: Omit<FrameTimes, "send">): boolean {
    const { clock, journal } = this.#parts;
    const reply = this.#delivery.lastReply;
    const sentMs = clock.monotonicMs();
    const watch = {
      onSent: (isDone: boolean) => {
        const send = isDone ? clock.monotonicMs() - sentMs : null;
        if (times) journal.recordFrame(this.name, { ...times, send });
      },
      onProven: () => {
        this.#delivery.prove();
        this.#parts.onProgress();
        // The gateway may end a session before it answers the ping behind the last reply.
        journal.counts.unproven -= this.#over.signal.aborted && this.isProven ? 1 : 0;
        this.#wake();
      },
    };
    const isSent = reply !== undefined && this.#link?.sendFrame(this.sid, reply, watch) === true;
    if (isSent) this.#delivery.pass();
    else if (times) journal.recordFrame(this.name, { ...times, send: null });
    return isSent;
  }

  #sendAgain(why: string) {
    const { journal } = this.#parts;
    if (!this.#send()) return;
    journal.counts.resent += 1;
    journal.log("info", `session ${this.name}: sent the last reply again, since ${why}`);
    journal.record("notice", { sessionId: this.name, detail: `reply sent again: ${why}` });
  }

  #waitForChange(): Promise<void> {
    return new Promise((go) => this.#waiters.push(go));
  }

  #wake() {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const go of waiters) go();
  }
}
