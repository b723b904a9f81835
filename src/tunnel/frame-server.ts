import type { AgentEvent } from "../wire/agent-states.ts";
import { closeCodes } from "../wire/close-codes.ts";
import { makeControl } from "../wire/control.ts";
import { describeFrameFault, findFrameKind } from "../wire/frame.ts";
import { decodeFragments, joinFragments } from "../wire/message.ts";
import { decodeSessionId, encodeSessionId, isSameSession } from "../wire/session-id.ts";
import type { Link } from "./link.ts";
import { type ResumeCount, Session, type SessionParts } from "./session.ts";

export interface FrameServerParts extends Omit<SessionParts, "onFault"> {
  readonly strictFrames: boolean;
  readonly onFault: "error" | "close";
  /** A session goes on or begins: should the agent think that it still waits, it runs. */
  readonly onMove: (event: AgentEvent) => void;
}

/** Leads the frames of an agent's links to their session. One is open at a time. */
export class FrameServer {
  readonly #parts: FrameServerParts;
  #session: Session | undefined;
  #link: Link | undefined;
  #closedSid: Uint8Array | undefined;
  /** The gateway says `resume` after each cut: its 101 said so, or it did it before. */
  #isTold = false;

  constructor(parts: FrameServerParts) {
    this.#parts = parts;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** There is a link; an open session goes on over it. */
  attach(link: Link) {
    this.#link = link;
    this.#isTold ||= link.tellsResume;
    this.#session?.attach(link, { isResumed: true, isTold: this.#isTold });
  }

  detach(isRefused: boolean) {
    this.#link = undefined;
    this.#session?.detach(isRefused);
  }

  takeFrame(fragments: readonly Uint8Array[]) {
    const frame = decodeFragments(fragments);
    if (frame.fault !== undefined)
      return this.#refuse(describeFrameFault(frame.fault, joinFragments(fragments)));
    const kind = findFrameKind(frame);
    if (this.#isFlooded()) {
      this.#parts.journal.counts.lost += kind === "data" ? 1 : 0;
      return undefined;
    }
    if (kind === "empty") return this.#answerEmpty(frame.sid);
    if (kind === "no_session") return this.#drop("a data frame without a session id");
    this.#parts.onMove("resume");
    this.#find(frame.sid)?.take(frame.payload);
  }

  openSession(sessionId: string) {
    this.#parts.onMove("resume");
    const sid = encodeSessionId(sessionId);
    if (this.#wasClosed(sid)) this.#closedSid = undefined;
    if (!this.#isOpen(sid) && !this.#isFlooded()) this.#open(sid);
  }

  closeSession(sessionId: string, reason: string | undefined) {
    const sid = encodeSessionId(sessionId);
    if (!this.#isOpen(sid)) return;
    this.#closedSid = sid;
    this.endSession(`closed by the gateway${reason ? ` (${reason})` : ""}`);
  }

  /** The gateway says how far a session is: the open one, or one that an earlier process began. */
  resumeSession(sessionId: string, count: ResumeCount) {
    this.#parts.onMove("resume");
    this.#isTold = true;
    const sid = encodeSessionId(sessionId);
    if (this.#isOpen(sid)) this.#session?.resume(count);
    else if (!this.#isFlooded()) this.#open(sid, count.replies);
  }

  /** The open session, if any, goes no further. */
  endSession(why: string) {
    const session = this.#session;
    if (session === undefined) return;
    this.#session = undefined;
    session.close();
    this.#parts.journal.log("info", `session ${session.name} ended: ${why}`);
    this.#parts.journal.record("session", { sessionId: session.name, detail: why });
  }

  /** Loads the handler, at the first call. Rejects when it cannot be loaded. */
  load(): Promise<void> {
    return this.#parts.line.load();
  }

  /** The session of a data frame. Gateways that say no `session_open` work too; the one that was closed last stays so. */
  #find(sid: Uint8Array): Session | undefined {
    if (this.#isOpen(sid)) return this.#session;
    if (this.#wasClosed(sid)) {
      this.#drop("a data frame of a session that was closed");
      return undefined;
    }
    return this.#open(sid);
  }

  #open(sid: Uint8Array, made = 0): Session {
    const { journal, line } = this.#parts;
    this.endSession("another one began");
    line.load().catch((thrown) => this.#parts.onBroken(thrown));
    const session = new Session(sid, { ...this.#parts, onFault: (failed) => this.#endByFault(failed) }, made);
    this.#session = session;
    if (this.#link !== undefined) session.attach(this.#link, { isResumed: false, isTold: this.#isTold });
    journal.counts.sessions += 1;
    journal.log("info", `session ${session.name} opened`);
    journal.record("session", { sessionId: session.name, detail: "opened" });
    return session;
  }

  #isOpen(sid: Uint8Array): boolean {
    return this.#session !== undefined && isSameSession(this.#session.sid, sid);
  }

  #wasClosed(sid: Uint8Array): boolean {
    return this.#closedSid !== undefined && isSameSession(this.#closedSid, sid);
  }

  /** Tells the gateway that the session is over, where that is how faults are told; an id that is no text cannot be named. */
  #endByFault(session: Session): boolean {
    const sessionId = decodeSessionId(session.sid);
    if (this.#parts.onFault !== "close" || sessionId === undefined || session !== this.#session) return false;
    this.#link?.sendText(makeControl({ type: "session_close", sessionId, reason: "the handler failed" }));
    this.#closedSid = session.sid;
    this.endSession("the handler failed");
    return true;
  }

  async #answerEmpty(sid: Uint8Array) {
    const { line } = this.#parts;
    const link = this.#link;
    try {
      await line.load();
      // Behind what the handler is at: who probes wants to know that it answers.
      await line.waitForTurn();
      link?.sendFrame(sid, new Uint8Array());
    } catch (thrown) {
      this.#parts.onBroken(thrown);
    }
  }

  /** A gateway that sends without waiting for answers fills no memory. What is dropped here was asked of a busy handler. */
  #isFlooded(): boolean {
    const { line, journal } = this.#parts;
    if (line.isFull)
      journal.logSome("flooded", "warn", "dropped a message: too many calls wait for the handler");
    return line.isFull;
  }

  #refuse(says: string) {
    this.#drop(says);
    if (this.#parts.strictFrames) this.#link?.close(closeCodes.malformed, "malformed frame");
  }

  #drop(what: string) {
    this.#parts.journal.counts.malformedFrames += 1;
    this.#parts.journal.logSome("malformed", "warn", `dropped ${what}`);
  }
}
