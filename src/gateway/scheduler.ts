import type { Seat } from "./seat.ts";
import type { CaseSpec } from "./simulator.ts";

/** A job as the scheduler sees it: whose it is, and how one of its cases is begun. */
export interface Lane<Agent> {
  readonly owner: string;
  /** A seat of its own that any number of its cases can have at once. */
  readonly ownSeat?: Seat;
  begin(agent: Agent, spec: CaseSpec, seat: Seat): void;
}

/** A case that goes on with the agent that had it. */
interface Reservation<Agent> {
  readonly agent: Agent;
  readonly spec: CaseSpec;
}

interface LaneState<Agent> {
  readonly waiting: CaseSpec[];
  readonly free: Set<Agent>;
  readonly reserved: Reservation<Agent>[];
  playing: number;
  /** When it was served last, as a count of all that were served. */
  servedAt: number;
}

/**
 * Brings together a waiting case, an agent of its job and a seat, as soon as all three are there. Of several jobs the one is
 * served whose owner has the fewest cases played now, then the one whose owner was served longest ago, then the job that was.
 */
export class Scheduler<Agent> {
  readonly #lanes = new Map<Lane<Agent>, LaneState<Agent>>();
  /** Those that lack nothing but a seat. */
  readonly #ready = new Set<Lane<Agent>>();
  readonly #seats = new Set<Seat>();
  readonly #playedOf = new Map<string, number>();
  /** When each user was served last, as a count of all that were. */
  readonly #servedOf = new Map<string, number>();
  #served = 0;
  #isPaused = false;

  /** Takes a job in with cases that wait. */
  open(lane: Lane<Agent>, cases: readonly CaseSpec[]): void {
    this.#lanes.set(lane, { waiting: [...cases], free: new Set(), reserved: [], playing: 0, servedAt: 0 });
  }

  /** Gives out no more cases of a job; returns those that nobody plays. */
  close(lane: Lane<Agent>): CaseSpec[] {
    const state = this.#lanes.get(lane);
    if (state === undefined) return [];
    state.free.clear();
    this.#ready.delete(lane);
    return [...state.reserved.splice(0).map(({ spec }) => spec), ...state.waiting.splice(0)];
  }

  /** An agent is free. False when it has to wait. */
  offerAgent(lane: Lane<Agent>, agent: Agent): boolean {
    const state = this.#lanes.get(lane);
    if (state === undefined) return false;
    state.free.add(agent);
    this.#update(lane, state);
    return !state.free.has(agent);
  }

  /** An agent is gone; the case that was reserved for it, if one was. */
  withdrawAgent(lane: Lane<Agent>, agent: Agent): CaseSpec | undefined {
    const state = this.#lanes.get(lane);
    if (state === undefined) return undefined;
    state.free.delete(agent);
    const at = state.reserved.findIndex((reservation) => reservation.agent === agent);
    const [reservation] = at < 0 ? [] : state.reserved.splice(at, 1);
    this.#update(lane, state);
    return reservation?.spec;
  }

  /** A case that waits shall go on with this agent, and waits for a seat alone. */
  reserve(lane: Lane<Agent>, agent: Agent, spec: CaseSpec): void {
    const state = this.#lanes.get(lane);
    const at = state?.waiting.indexOf(spec) ?? -1;
    if (state === undefined || at < 0) return;
    state.waiting.splice(at, 1);
    state.reserved.push({ agent, spec });
    this.#update(lane, state);
  }

  /** A case waits again, before the others of its job. */
  giveBack(lane: Lane<Agent>, spec: CaseSpec): void {
    const state = this.#lanes.get(lane);
    if (state === undefined) return;
    state.waiting.unshift(spec);
    this.#update(lane, state);
  }

  /** A case of this job is played no longer on this seat. */
  finish(lane: Lane<Agent>, seat: Seat): void {
    const state = this.#lanes.get(lane);
    if (state !== undefined) state.playing -= 1;
    const played = (this.#playedOf.get(lane.owner) ?? 0) - 1;
    if (played > 0) this.#playedOf.set(lane.owner, played);
    else this.#playedOf.delete(lane.owner);
    if (!seat.once && seat !== lane.ownSeat) this.offerSeat(seat);
  }

  /** Forgets a job that was closed, and a user with the last one. */
  forget(lane: Lane<Agent>): void {
    this.#lanes.delete(lane);
    this.#ready.delete(lane);
    const hasMore = [...this.#lanes.keys()].some(({ owner }) => owner === lane.owner);
    if (!hasMore) this.#servedOf.delete(lane.owner);
  }

  offerSeat(seat: Seat): void {
    this.#seats.add(seat);
    if (!this.#isPaused) this.#fill(seat);
  }

  withdrawSeat(seat: Seat): void {
    this.#seats.delete(seat);
  }

  /** Begins nothing any more. */
  pause(): void {
    this.#isPaused = true;
  }

  /** How many cases of a job are played now. */
  countPlaying(lane: Lane<Agent>): number {
    return this.#lanes.get(lane)?.playing ?? 0;
  }

  /** Cases that wait, by board. */
  countWaiting(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { waiting } of this.#lanes.values())
      for (const { board = "" } of waiting) counts.set(board, (counts.get(board) ?? 0) + 1);
    return counts;
  }

  /** Only what changed can bring something together now: whatever else fits has been begun before. */
  #update(lane: Lane<Agent>, state: LaneState<Agent>) {
    if (this.#isReady(lane, state) && !this.#isPaused) this.#serve(lane);
  }

  #isReady(lane: Lane<Agent>, { reserved, waiting, free }: LaneState<Agent>): boolean {
    const isReady = reserved.length > 0 || (waiting.length > 0 && free.size > 0);
    if (isReady) this.#ready.add(lane);
    else this.#ready.delete(lane);
    return isReady;
  }

  #serve(lane: Lane<Agent>) {
    const { ownSeat } = lane;
    if (ownSeat !== undefined) while (this.#begin(lane, ownSeat));
    else for (const seat of this.#seats) this.#begin(lane, seat);
  }

  #fill(seat: Seat) {
    const lane = this.#chooseLane(seat);
    if (lane !== undefined) this.#begin(lane, seat);
  }

  #chooseLane(seat: Seat): Lane<Agent> | undefined {
    let chosen: Lane<Agent> | undefined;
    for (const lane of this.#ready) {
      if (lane.ownSeat !== undefined || findPlayable(this.#lanes.get(lane), seat) === undefined) continue;
      if (chosen === undefined || this.#isBefore(lane, chosen)) chosen = lane;
    }
    return chosen;
  }

  #isBefore(one: Lane<Agent>, other: Lane<Agent>): boolean {
    const rank = (lane: Lane<Agent>) => [
      this.#playedOf.get(lane.owner) ?? 0,
      this.#servedOf.get(lane.owner) ?? 0,
      this.#lanes.get(lane)?.servedAt ?? 0,
    ];
    const [ours, others] = [rank(one), rank(other)];
    const at = ours.findIndex((value, index) => value !== others[index]);
    return at >= 0 && (ours[at] ?? 0) < (others[at] ?? 0);
  }

  /** Begins a case of a job on a seat, where one can be. */
  #begin(lane: Lane<Agent>, seat: Seat): boolean {
    const state = this.#lanes.get(lane);
    const next = findPlayable(state, seat);
    if (state === undefined || next === undefined) return false;
    remove(state, next);
    this.#seats.delete(seat);
    state.playing += 1;
    this.#served += 1;
    state.servedAt = this.#served;
    this.#servedOf.set(lane.owner, this.#served);
    this.#playedOf.set(lane.owner, (this.#playedOf.get(lane.owner) ?? 0) + 1);
    this.#isReady(lane, state);
    lane.begin(next.agent, next.spec, seat);
    return true;
  }
}

/** What this seat can play of a job now: what goes on comes before what begins. */
function findPlayable<Agent>(
  state: LaneState<Agent> | undefined,
  seat: Seat,
): Reservation<Agent> | undefined {
  if (state === undefined) return undefined;
  const fits = (spec: CaseSpec) =>
    (seat.caseId === undefined || seat.caseId === spec.id) &&
    (spec.board === undefined || seat.boards.includes(spec.board));
  // A connection goes on with the case that it names, and with no other's.
  const reserved = state.reserved.find(({ spec }) => fits(spec) && (!seat.once || seat.caseId === spec.id));
  if (reserved !== undefined) return reserved;
  const [agent] = state.free;
  const spec = agent === undefined ? undefined : state.waiting.find(fits);
  return agent === undefined || spec === undefined ? undefined : { agent, spec };
}

function remove<Agent>({ reserved, waiting, free }: LaneState<Agent>, { agent, spec }: Reservation<Agent>) {
  const at = reserved.findIndex((reservation) => reservation.spec === spec);
  if (at >= 0) reserved.splice(at, 1);
  else {
    waiting.splice(waiting.indexOf(spec), 1);
    free.delete(agent);
  }
}
