import { beforeEach, describe, expect, it } from "vitest";
import { type Lane, Scheduler } from "./scheduler.ts";
import type { Seat } from "./seat.ts";
import type { CaseSpec } from "./simulator.ts";

type Job = Lane<string> & { readonly begun: [agent: string, index: number, seat: Seat][] };

const play = () => Promise.resolve({ score: 1, steps: 1 });
const makeSeat = (seat: Partial<Seat> = {}): Seat => ({ boards: ["reach"], play, ...seat });
const makeCases = (count: number, board = "reach"): CaseSpec[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, board, task: "pick", index, seed: 0 }));

let scheduler: Scheduler<string>;
beforeEach(() => {
  scheduler = new Scheduler();
});

function openJob(owner: string, cases: readonly CaseSpec[], ownSeat?: Seat): Job {
  const begun: Job["begun"] = [];
  const job: Job = {
    ...{ owner, ownSeat, begun },
    begin: (agent, { index }, seat) => begun.push([agent, index, seat]),
  };
  scheduler.open(job, cases);
  return job;
}

/** Who plays which case, without the seats. */
const read = ({ begun }: Job) => begun.map(([agent, index]) => `${agent} ${index}`);

describe("a job with a seat of its own", () => {
  it("brings cases and agents together in the order in which they came", () => {
    const job = openJob("ann", makeCases(2), makeSeat());
    expect(["a", "b", "c"].map((agent) => scheduler.offerAgent(job, agent))).toEqual([true, true, false]);
    expect(read(job)).toEqual(["a 0", "b 1"]);
  });

  it("gives out nothing that was taken back", () => {
    const job = openJob("ann", makeCases(3), makeSeat());
    scheduler.offerAgent(job, "a");
    expect(scheduler.close(job).map(({ index }) => index)).toEqual([1, 2]);
    expect(scheduler.offerAgent(job, "b")).toBe(false);
    expect(read(job)).toEqual(["a 0"]);
  });

  it("begins a case that is given back before the others", () => {
    const cases = makeCases(3);
    const job = openJob("ann", cases, makeSeat());
    scheduler.offerAgent(job, "a");
    scheduler.giveBack(job, cases[0] as CaseSpec);
    scheduler.offerAgent(job, "b");
    expect(read(job)).toEqual(["a 0", "b 0"]);
  });
});

describe("seats that jobs share", () => {
  it("play a case at a time, of their boards", () => {
    const job = openJob("ann", makeCases(2));
    const other = openJob("ann", makeCases(1, "echo"));
    const seat = makeSeat();
    scheduler.offerSeat(seat);
    scheduler.offerAgent(other, "x");
    expect(scheduler.offerAgent(job, "a")).toBe(true);
    expect(scheduler.offerAgent(job, "b")).toBe(false);
    expect([read(job), read(other)]).toEqual([["a 0"], []]);
    scheduler.finish(job, seat);
    expect(read(job)).toEqual(["a 0", "b 1"]);
    expect(scheduler.countWaiting()).toEqual(new Map([["echo", 1]]));
  });

  it("go to the user who has the fewest cases played, then to the job that waited longest", () => {
    const jobs = [openJob("ann", makeCases(9)), openJob("ann", makeCases(9)), openJob("bob", makeCases(9))];
    for (const job of jobs) for (const agent of ["a", "b", "c", "d"]) scheduler.offerAgent(job, agent);
    for (let seats = 1; seats <= 6; seats += 1) scheduler.offerSeat(makeSeat());
    expect(jobs.map((job) => scheduler.countPlaying(job))).toEqual([2, 1, 3]);
  });

  it("let nobody wait for ever, however many jobs another user has", () => {
    const crowd = Array.from({ length: 50 }, () => openJob("ann", makeCases(9)));
    for (const job of crowd) for (const agent of ["a", "b"]) scheduler.offerAgent(job, agent);
    const seat = makeSeat();
    scheduler.offerSeat(seat);
    const late = openJob("bob", makeCases(2));
    scheduler.offerAgent(late, "z");
    scheduler.finish(crowd[0] as Job, seat);
    // Nobody plays anything now, so it is the turn of the one who was never served.
    const order = [...crowd.slice(1), late];
    for (const job of order) {
      if (scheduler.countPlaying(late) > 0) break;
      scheduler.finish(job, seat);
    }
    expect(read(late)).toEqual(["z 0"]);
  });

  it("of a connection play one case and are gone", () => {
    const job = openJob("ann", makeCases(2));
    const seat = makeSeat({ once: true });
    scheduler.offerAgent(job, "a");
    scheduler.offerAgent(job, "b");
    scheduler.offerSeat(seat);
    scheduler.finish(job, seat);
    expect(read(job)).toEqual(["a 0"]);
    scheduler.withdrawSeat(seat);
  });

  it("of one case wait for that case", () => {
    const job = openJob("ann", makeCases(3));
    scheduler.offerSeat(makeSeat({ caseId: 3 }));
    scheduler.offerAgent(job, "a");
    scheduler.offerAgent(job, "b");
    expect(read(job)).toEqual(["a 2"]);
  });

  it("that were withdrawn, or are paused, begin nothing", () => {
    const job = openJob("ann", makeCases(3));
    const seat = makeSeat();
    scheduler.offerSeat(seat);
    scheduler.withdrawSeat(seat);
    scheduler.offerAgent(job, "a");
    scheduler.pause();
    scheduler.offerSeat(makeSeat());
    expect(read(job)).toEqual([]);
  });
});

describe("a case that goes on after a restart", () => {
  it("waits for a seat alone, before what has not begun", () => {
    const [first, second] = makeCases(2) as [CaseSpec, CaseSpec];
    const job = openJob("ann", [first, second]);
    scheduler.reserve(job, "a", second);
    scheduler.offerAgent(job, "b");
    scheduler.offerSeat(makeSeat());
    expect(read(job)).toEqual(["a 1"]);
    scheduler.offerSeat(makeSeat());
    expect(read(job)).toEqual(["a 1", "b 0"]);
  });

  it("goes on with no other connection than one that names it", () => {
    const [first] = makeCases(1) as [CaseSpec];
    const job = openJob("ann", [first]);
    scheduler.reserve(job, "a", first);
    scheduler.offerSeat(makeSeat({ once: true }));
    expect(read(job)).toEqual([]);
    scheduler.offerSeat(makeSeat({ once: true, caseId: 1 }));
    expect(read(job)).toEqual(["a 0"]);
  });

  it("comes back when its agent goes, or its job ends", () => {
    const [first, second] = makeCases(2) as [CaseSpec, CaseSpec];
    const job = openJob("ann", [first, second]);
    scheduler.reserve(job, "a", first);
    scheduler.reserve(job, "b", second);
    expect([scheduler.withdrawAgent(job, "a"), scheduler.withdrawAgent(job, "a")]).toEqual([
      first,
      undefined,
    ]);
    expect(scheduler.close(job)).toEqual([second]);
  });
});
