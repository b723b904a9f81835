import { findTunnelMove, type TunnelEvent, type TunnelState } from "../wire/agent-states.ts";
import { type CloseWord, closeCodes } from "../wire/close-codes.ts";
import type { LinkOwner } from "./agent-socket.ts";
import type { TunnelReport } from "./gateway-event.ts";
import type { Link } from "./link.ts";
import { isAwaited, ReconnectWindow } from "./reconnect-window.ts";
import { resumeSession } from "./resume-session.ts";
import type { Session, SessionLine, SessionPast } from "./session.ts";
import { makeAgentEnd, makeCancelled, makeRestartLoss, makeWindowLoss } from "./session-loss.ts";
import { SessionSeat } from "./session-seat.ts";
import type { TunnelHost } from "./tunnel-host.ts";

/** An agent that answers no ping is warmed up all the same, this much later. */
const WARM_UP_BY_MS = 1_000;

/** In the ping that follows `drain`: its pong proves that the agent has heard it. */
const DRAIN_MARK = "drain";

/**
 * A pair of job and agent id over all the links that it has one after another: how far it is, its session, and the
 * window in which it may come back.
 */
export class Tunnel implements LinkOwner, SessionLine {
  readonly agentId: string;
  readonly #host: TunnelHost<Tunnel>;
  readonly #window = new ReconnectWindow();
  readonly #seat = new SessionSeat();
  #state: TunnelState = "queued";
  #link: Link | undefined;
  #warmUpByMs = 0;
  /** The agent has heard the drain, or is given up: the end of its link is its end. */
  #isFinal = false;
  /** It is known from before a restart of the gateway, and has not dialled since. */
  #isRestored = false;

  constructor(agentId: string, host: TunnelHost<Tunnel>) {
    this.agentId = agentId;
    this.#host = host;
  }

  get state(): TunnelState {
    return this.#state;
  }

  get link(): Link | undefined {
    return this.#link;
  }

  get session(): Session | undefined {
    return this.#seat.session;
  }

  /** Takes up what it was before a restart: running, in its session, and inside its window from now on. */
  restore(past: SessionPast): Session {
    this.#state = "running";
    this.#isRestored = true;
    this.#openWindow();
    return this.#seat.open(this, this.#host.flags.strictFrames, past);
  }

  /** Takes up what it was before a restart: drained, perhaps without having heard it. */
  restoreDrained(): void {
    this.#state = "draining";
    this.#openWindow();
  }

  /** Takes a link that was admitted: the first one, or the next one inside the window. */
  attach(link: Link): void {
    const isBack = this.#window.isOpen;
    this.#isRestored = false;
    this.#link = link;
    this.#window.close();
    this.report({ type: "dialed", resumed: isBack });
    if (this.#state === "draining") {
      // What it was asked before it may still answer, and its last answer may be here already.
      this.#resumeSession(link);
      this.#sayDrain(link);
    } else if (isBack) {
      this.#resume(link);
    } else {
      // A `ready` sent before the warm-up is no answer to it: the warm-up waits for the pong, which comes after that.
      this.#warmUpByMs = this.#host.clock.monotonicMs() + WARM_UP_BY_MS;
      link.sendPing();
    }
  }

  /** Tells an agent that has had no session yet that there is no case for it now. */
  sayQueued(): void {
    if (this.#link === undefined || this.#seat.endedId !== undefined) return;
    this.#link.sendControl({ type: "queued", reason: "no_gpu_available" });
    this.report({ type: "queued_sent" });
  }

  /** Begins a session. The tunnel is running, connected and has none. `keep` puts it on record, before its agent hears of it. */
  openSession(keep: (sessionId: string, agentId: string) => void): Session {
    const session = this.#seat.open(this, this.#host.flags.strictFrames);
    const { sessionId } = session;
    keep(sessionId, this.agentId);
    this.#link?.sendControl({ type: "session_open", sessionId });
    this.report({ type: "session_opened", sessionId });
    return session;
  }

  /** Ends a session that was played; an agent that is away is told when it is back. */
  closeSession(session: Session): void {
    if (!this.#seat.close(session)) return;
    if (this.#link !== undefined && this.#state === "running") this.#sayClosed(this.#link, session.sessionId);
  }

  /** Tells the agent to drain, at once or when it is back. An observation on its way may still be answered. */
  drain(): void {
    if (!this.#move("drain")) return;
    this.session?.refuseMore(makeCancelled(this.session.sessionId));
    if (this.#link === undefined) this.#seat.lose(makeCancelled);
    else this.#sayDrain(this.#link);
  }

  /** Ends the tunnel now, whatever is open. */
  stop(word: CloseWord, says: string): void {
    this.#isFinal = true;
    this.#seat.lose(makeCancelled);
    if (this.#link === undefined) this.#expire();
    else this.#closeLink(word, says);
  }

  sweep(nowMs: number, pausedMs: number): void {
    this.#link?.excuse(pausedMs);
    this.#window.extend(pausedMs);
    this.#link?.sweep(nowMs, this.#host.timers, this.session !== undefined);
    if (this.#window.isOver(nowMs)) this.#expire();
    if (this.#state === "queued" && nowMs >= this.#warmUpByMs) this.#warmUp();
  }

  sendObservation(session: Session, observation: Uint8Array, resent: boolean): boolean {
    if (!this.#link?.sendFrame(session.sid, observation)) return false;
    const { sessionId } = session;
    this.report({ type: "observation_sent", sessionId, bytes: observation.length, resent });
    return true;
  }

  keepReply(session: Session, payload: Uint8Array): void {
    this.#host.keepReply(session, payload);
  }

  goOn(session: Session): void {
    if (session === this.session && this.#link !== undefined) this.#resumeSession(this.#link);
  }

  receivePong(mark: string): void {
    this.report({ type: "agent_pong" });
    if (mark === DRAIN_MARK) this.#isFinal = true;
    else if (this.#state === "queued") this.#warmUp();
  }

  loseLink(code: number, reason: string): void {
    this.#link = undefined;
    const hasSession = this.session !== undefined;
    const windowOpen = isAwaited({ state: this.#state, hasSession, isFinal: this.#isFinal, code });
    if (this.#state === "warmup") this.report({ type: "warm_up_failed" });
    this.report({ type: "link_closed", code, reason, windowOpen });
    if (windowOpen) {
      this.#openWindow();
    } else {
      this.#seat.lose(makeCancelled);
      this.#host.forget(this, false);
    }
  }

  becomeReady(): boolean {
    if (!this.#move("ready")) return false;
    this.report({ type: "ready" });
    this.#host.offer(this);
    return true;
  }

  endByAgent(sessionId: string, reason: string | undefined): boolean {
    if (this.session?.sessionId !== sessionId) return sessionId === this.#seat.endedId;
    this.report({ type: "session_closed", sessionId, by: "agent" });
    this.#seat.lose((id) => makeAgentEnd(id, reason));
    if (this.#state === "running") this.#host.offer(this);
    return true;
  }

  refuseFrame(why: string): void {
    this.report({ type: "malformed_frame", why });
    this.#closeLink("malformed", why);
  }

  report(event: TunnelReport): void {
    this.#host.report(this, event);
  }

  #move(event: TunnelEvent): boolean {
    const next = findTunnelMove(this.#state, event);
    if (next !== undefined) this.#state = next;
    return next !== undefined;
  }

  #warmUp() {
    if (!this.#move("warmup")) return;
    this.#link?.sendControl({ type: "warmup" });
    this.report({ type: "warmup_sent" });
  }

  #resume(link: Link) {
    this.#state = "queued"; // what every link begins as
    this.#move("resume");
    const { session, endedId } = this.#seat;
    if (session !== undefined) this.#resumeSession(link);
    else if (endedId !== undefined) this.#sayClosed(link, endedId);
  }

  /** Goes on with the open session; where its simulator is not yet where it was, `goOn` comes back here. */
  #resumeSession(link: Link) {
    const { session } = this;
    if (session !== undefined && !session.isBehind) resumeSession(session, link, this.#host.flags);
  }

  #openWindow() {
    this.#window.open(this.#host.clock.monotonicMs() + this.#host.timers.windowMs);
  }

  #sayClosed(link: Link, sessionId: string) {
    link.sendControl({ type: "session_close", sessionId });
    this.report({ type: "session_closed", sessionId, by: "gateway" });
    this.#host.offer(this);
  }

  #sayDrain(link: Link) {
    link.sendControl({ type: "drain" });
    this.report({ type: "drain_sent" });
    link.sendPing(DRAIN_MARK);
  }

  #expire() {
    this.#window.close();
    const sessionId = this.session?.sessionId;
    if (sessionId !== undefined) {
      this.report({ type: "window_expired", sessionId });
      const make = this.#isRestored ? makeRestartLoss : makeWindowLoss;
      this.#seat.lose((id) => make(id, this.agentId, this.#host.timers.windowMs));
    }
    this.#host.forget(this, sessionId !== undefined);
  }

  #closeLink(word: CloseWord, says: string) {
    if (this.#host.flags.closeCodes === "silent") this.#link?.close();
    else this.#link?.close(closeCodes[word], says);
  }
}
