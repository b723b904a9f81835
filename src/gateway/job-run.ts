import type { Clock } from "../base/clock.ts";
import type { CloseWord } from "../wire/close-codes.ts";
import { blameSibling, type CaseEnd, type JobEnd, type JobOutcome } from "./case-end.ts";
import type { CaseReport, TunnelReport } from "./gateway-event.ts";
import type { GatewayFlags, GatewayTimers } from "./gateway-flags.ts";
import type { JobHost, JobParts, RestoredCase } from "./job-parts.ts";
import { playAttempt } from "./play-attempt.ts";
import { RestoredSessions } from "./restored-sessions.ts";
import { Retries } from "./retries.ts";
import type { Lane } from "./scheduler.ts";
import type { Seat } from "./seat.ts";
import type { Session } from "./session.ts";
import { makeRestartLoss } from "./session-loss.ts";
import type { CaseResult, CaseSpec } from "./simulator.ts";
import { Tunnel } from "./tunnel.ts";
import type { TunnelHost } from "./tunnel-host.ts";

/** After these, an agent is shown as something else than before. */
const agentChanges: ReadonlySet<string> = new Set([
  ...["dialed", "warmup_sent", "ready", "link_closed", "session_opened", "session_closed", "drain_sent"],
]);

/** A job from its cases to its end: its tunnels, what is begun again, and the drain. */
export class JobRun implements TunnelHost<Tunnel>, Lane<Tunnel> {
  readonly parts: JobParts;
  readonly flags: GatewayFlags;
  readonly timers: GatewayTimers;
  readonly clock: Clock;
  readonly ended: Promise<JobEnd>;
  readonly tunnels = new Map<string, Tunnel>();
  readonly #host: JobHost;
  /** Each one cost a case, so there are no more of them than cases. */
  readonly #expired = new Set<string>();
  readonly #retries: Retries;
  readonly #restored = new RestoredSessions();
  readonly #ends: CaseEnd[] = [];
  readonly #givenUp = new AbortController();
  /** Cases without an end. */
  #open: number;
  #outcome: JobOutcome;
  #state: "running" | "draining" | "over" = "running";
  #isSettled = false;
  #drainEndsAtMs = Number.POSITIVE_INFINITY;
  #finish: (end: JobEnd) => void = () => undefined;

  constructor(parts: JobParts, host: JobHost) {
    this.parts = parts;
    this.flags = host.flags;
    this.timers = host.timers;
    this.clock = host.clock;
    this.#host = host;
    this.#open = parts.cases.length;
    this.#outcome = parts.doom ?? "succeeded";
    this.#retries = new Retries(parts.attempts, parts.failures);
    this.ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get uuid(): string {
    return this.parts.uuid;
  }

  get owner(): string {
    return this.parts.owner;
  }

  get ownSeat(): Seat | undefined {
    return this.parts.ownSeat;
  }

  get state(): "running" | "draining" | "over" {
    return this.#state;
  }

  /** Lets cases begin. `restored`: those that go on with the agent that had them before a restart. */
  start(restored: readonly RestoredCase[] = []): void {
    this.#host.scheduler.open(this, this.parts.cases);
    for (const { agentId, spec, past } of restored) {
      const tunnel = this.openTunnel(agentId);
      this.#restored.add({ spec, tunnel, session: tunnel.restore(past) });
      this.#host.scheduler.reserve(this, tunnel, spec);
    }
    for (const agentId of this.parts.farewells ?? []) this.openTunnel(agentId).restoreDrained();
    if (restored.length > 0) void this.#endUnclaimed();
    if (this.parts.doom !== undefined) this.#drain();
    if (this.#open === 0) this.#settle();
  }

  /** Whether the window of this agent passed with a session open: it may not come back. */
  isExpired(agentId: string): boolean {
    return this.#expired.has(agentId);
  }

  /** Whether this case goes on after a restart as soon as there is a seat for it. */
  isAwaited(caseId: number): boolean {
    return this.#restored.find(caseId) !== undefined;
  }

  /** Ends a case that waits to go on after a restart, since its score was told. False: it does not, or had no action yet. */
  conclude(caseId: number, told: Omit<CaseResult, "steps"> & { readonly steps?: number }): boolean {
    const awaited = this.#restored.takeBegun(caseId);
    if (awaited === undefined) return false;
    const { spec, tunnel, session } = awaited;
    this.#host.scheduler.withdrawAgent(this, tunnel);
    const result = { steps: session.replies, ...told };
    this.#endCase({ spec, agentId: tunnel.agentId, result }, session, () => tunnel.closeSession(session));
    return true;
  }

  /** The tunnel of an agent that was admitted, made where it is new. */
  openTunnel(agentId: string): Tunnel {
    const tunnel = this.tunnels.get(agentId) ?? new Tunnel(agentId, this);
    this.tunnels.set(agentId, tunnel);
    return tunnel;
  }

  /** Ends the job early: what has not begun is cancelled, what is played ends with its next question. */
  drain(outcome: JobOutcome = "stopped"): void {
    if (this.#state !== "running") return;
    if (this.#open > 0) this.#outcome = outcome;
    this.#drain();
  }

  /** Ends the job now: what has not drained by itself is cut off. */
  giveUp(word: CloseWord, says: string): void {
    this.drain();
    for (const tunnel of [...this.tunnels.values()]) tunnel.stop(word, says);
    this.#givenUp.abort();
  }

  /** Ends a drain that takes too long. */
  sweep(nowMs: number): void {
    if (nowMs >= this.#drainEndsAtMs) this.giveUp("job_over", "the job has ended");
  }

  begin(tunnel: Tunnel, spec: CaseSpec, seat: Seat): void {
    void this.#play(tunnel, spec, seat);
  }

  report(tunnel: Tunnel, event: TunnelReport | CaseReport): void {
    this.#host.report(this.uuid, tunnel.agentId, event);
    if (agentChanges.has(event.type)) this.parts.journal?.noteAgent(tunnel.agentId);
  }

  keepReply(session: Session, payload: Uint8Array): void {
    this.parts.journal?.keepReply(session.sessionId, session.replies, payload);
  }

  offer(tunnel: Tunnel): void {
    if (this.#state !== "running") return;
    if (!this.#host.scheduler.offerAgent(this, tunnel) && this.flags.emitQueued) tunnel.sayQueued();
  }

  forget(tunnel: Tunnel, isExpired: boolean): void {
    this.tunnels.delete(tunnel.agentId);
    if (isExpired) this.#expired.add(tunnel.agentId);
    const reserved = this.#host.scheduler.withdrawAgent(this, tunnel);
    this.parts.journal?.noteAgent(tunnel.agentId);
    if (reserved !== undefined) this.#endUnplayed(reserved, tunnel.agentId);
    this.#finishWhenDone();
  }

  async #play(tunnel: Tunnel, spec: CaseSpec, seat: Seat) {
    const { agentId } = tunnel;
    const session = this.#takeSession(tunnel, spec, seat);
    const attempt = { session, spec, seat, agentId };
    const end = await playAttempt(attempt, this.parts, this.clock, this.#givenUp.signal);
    this.#endCase({ agentId, ...end }, session, () => {
      this.#host.scheduler.finish(this, seat);
      tunnel.closeSession(session);
    });
  }

  /** The session that goes on after a restart, or a new one. */
  #takeSession(tunnel: Tunnel, spec: CaseSpec, seat: Seat): Session {
    const restored = this.#restored.take(spec);
    if (seat.once) restored?.skipPast();
    const session = restored ?? tunnel.openSession((...ids) => this.parts.journal?.begin(spec, ...ids));
    const { sessionId } = session;
    this.report(tunnel, { type: "case_began", sessionId, spec, resumed: restored !== undefined });
    return session;
  }

  /** A case whose simulator does not come back in time begins again, as if its agent had stayed away. */
  async #endUnclaimed() {
    const { windowMs } = this.timers;
    await this.clock.sleep(windowMs, this.#host.closing);
    if (this.#host.closing.aborted) return;
    for (const { spec, tunnel, session } of this.#restored.list()) {
      this.#host.scheduler.withdrawAgent(this, tunnel);
      session.end(makeRestartLoss(session.sessionId, tunnel.agentId, windowMs));
      this.#endUnplayed(spec, tunnel.agentId, () => tunnel.closeSession(session));
    }
  }

  /** Ends a case that nobody plays now: it never began, or it was to go on after a restart. */
  #endUnplayed(spec: CaseSpec, agentId?: string, letGo?: () => void) {
    const session = this.#restored.take(spec);
    const { failure = "cancelled", detail = "the job was drained before it began" } = session?.loss ?? {};
    this.#endCase({ spec, agentId, failure, detail }, session, letGo);
  }

  /** `letGo` tells its agent and frees what played it: not before the end is on record, since another case may begin by that. */
  #endCase(told: CaseEnd, session: Session | undefined, letGo: () => void = () => undefined) {
    const end = this.#outcome === "failed" ? blameSibling(told) : told;
    const { spec, failure, detail, agentId = "", result } = end;
    const retried = this.#state === "running" && this.#retries.isAllowed(end);
    this.parts.journal?.end(end, session?.sessionId, retried);
    letGo();
    const sessionId = session?.sessionId ?? "";
    const facts = { sessionId, spec, failure, detail, score: result?.score, retried };
    this.#host.report(this.uuid, agentId, { type: "case_ended", ...facts });
    if (retried) return this.#host.scheduler.giveBack(this, spec);
    this.#ends.push(end);
    this.#open -= 1;
    if (failure !== undefined && this.parts.attempts !== undefined) this.drain("failed");
    if (this.#open === 0) this.#settle();
    this.#finishWhenDone();
  }

  #drain() {
    this.#state = "draining";
    this.#drainEndsAtMs = this.clock.monotonicMs() + this.timers.drainMs;
    for (const tunnel of this.tunnels.values()) tunnel.drain();
    for (const spec of this.#host.scheduler.close(this)) this.#endUnplayed(spec);
    this.#finishWhenDone();
  }

  /** Every case has an end: what is left is that the agents go, once nobody can forget that they may. */
  #settle() {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const leave = () => {
      if (this.#state === "running") this.#drain();
    };
    if (this.parts.journal === undefined) leave();
    else this.parts.journal.settle({ cases: this.#ends, outcome: this.#outcome }, leave);
  }

  /** Over is a job when every case has an end and no agent has a slot. */
  #finishWhenDone() {
    if (this.#state !== "draining" || this.tunnels.size > 0 || this.#open > 0) return;
    this.#state = "over";
    this.#host.scheduler.forget(this);
    const outcome = this.#outcome;
    if (this.parts.farewells === undefined) this.#host.report(this.uuid, "", { type: "job_ended", outcome });
    this.#finish({ cases: this.#ends, outcome });
  }
}
