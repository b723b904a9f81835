import type { Clock } from "../base/clock.ts";
import type { CloseWord } from "../wire/close-codes.ts";
import type { TunnelReport } from "./gateway-event.ts";
import type { CaseEnd, GatewayFlags, GatewayTimers, JobEnd, JobSpec } from "./gateway-options.ts";
import { hashToken } from "./job-token.ts";
import { playCase } from "./play-case.ts";
import { Scheduler } from "./scheduler.ts";
import type { CaseSpec } from "./simulator.ts";
import { Tunnel, type TunnelHost } from "./tunnel.ts";

/** What all jobs of a gateway share. */
export interface JobHost {
  readonly flags: GatewayFlags;
  readonly timers: GatewayTimers;
  readonly clock: Clock;
  report(jobUuid: string, agentId: string, event: TunnelReport): void;
}

/** A job from its cases to its end: its tunnels, who plays what, and the drain. */
export class JobRun implements TunnelHost {
  readonly uuid: string;
  readonly tokenHash: Buffer;
  readonly spec: JobSpec;
  readonly flags: GatewayFlags;
  readonly timers: GatewayTimers;
  readonly clock: Clock;
  readonly ended: Promise<JobEnd>;
  readonly tunnels = new Map<string, Tunnel>();
  readonly #host: JobHost;
  readonly #scheduler: Scheduler<CaseSpec, Tunnel>;
  /** Each one cost a case, so there are no more of them than cases. */
  readonly #expired = new Set<string>();
  readonly #ends: CaseEnd[] = [];
  readonly #givenUp = new AbortController();
  #state: "running" | "draining" | "over" = "running";
  #drainEndsAtMs = Number.POSITIVE_INFINITY;
  #finish: (end: JobEnd) => void = () => undefined;

  constructor(uuid: string, token: string, spec: JobSpec, host: JobHost) {
    this.uuid = uuid;
    this.spec = spec;
    this.flags = host.flags;
    this.timers = host.timers;
    this.clock = host.clock;
    this.#host = host;
    this.tokenHash = hashToken(token);
    this.#scheduler = new Scheduler(spec.cases, (tunnel, next) => void this.#play(tunnel, next));
    this.ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
    if (spec.cases.length === 0) this.drain();
  }

  get state(): "running" | "draining" | "over" {
    return this.#state;
  }

  /** Whether the window of this agent passed with a session open: it may not come back. */
  isExpired(agentId: string): boolean {
    return this.#expired.has(agentId);
  }

  /** The tunnel of an agent that was admitted, made where it is new. */
  openTunnel(agentId: string): Tunnel {
    const tunnel = this.tunnels.get(agentId) ?? new Tunnel(agentId, this);
    this.tunnels.set(agentId, tunnel);
    return tunnel;
  }

  drain(): void {
    if (this.#state !== "running") return;
    this.#state = "draining";
    this.#drainEndsAtMs = this.clock.monotonicMs() + this.timers.drainMs;
    for (const spec of this.#scheduler.stop()) {
      this.#ends.push({ spec, failure: "cancelled", detail: "the job was drained before it began" });
    }
    for (const tunnel of this.tunnels.values()) tunnel.drain();
    this.#finishWhenDone();
  }

  /** Ends the job now: what has not drained by itself is cut off. */
  giveUp(word: CloseWord, says: string): void {
    this.drain();
    for (const tunnel of [...this.tunnels.values()]) tunnel.stop(word, says);
    this.#givenUp.abort();
  }

  /** `pausedMs`: so long this whole process stood still until now. */
  sweep(nowMs: number, pausedMs: number): void {
    for (const tunnel of this.tunnels.values()) tunnel.sweep(nowMs, pausedMs);
    if (nowMs >= this.#drainEndsAtMs) this.giveUp("job_over", "the job has ended");
  }

  report(tunnel: Tunnel, event: TunnelReport): void {
    this.#host.report(this.uuid, tunnel.agentId, event);
  }

  offer(tunnel: Tunnel): void {
    if (this.#state !== "running") return;
    if (!this.#scheduler.offer(tunnel) && this.flags.emitQueued) tunnel.sayQueued();
  }

  forget(tunnel: Tunnel, isExpired: boolean): void {
    this.tunnels.delete(tunnel.agentId);
    this.#scheduler.withdraw(tunnel);
    if (isExpired) this.#expired.add(tunnel.agentId);
    this.#finishWhenDone();
  }

  async #play(tunnel: Tunnel, spec: CaseSpec) {
    const { agentId } = tunnel;
    const session = tunnel.openSession();
    const end = await playCase(this.spec.simulator, session, spec, this.#givenUp.signal);
    this.#ends.push({ agentId, ...end });
    tunnel.closeSession(session);
    if (this.#ends.length === this.spec.cases.length) this.drain();
    this.#finishWhenDone();
  }

  /** Over is a job when every case has an end and no agent has a slot. */
  #finishWhenDone() {
    const isDone = this.tunnels.size === 0 && this.#ends.length === this.spec.cases.length;
    if (this.#state !== "draining" || !isDone) return;
    this.#state = "over";
    this.#drainEndsAtMs = Number.POSITIVE_INFINITY;
    this.#finish({ cases: this.#ends });
  }
}
