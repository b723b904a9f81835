import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { SortieError } from "../../src/base/error.ts";
import type { PolicyDialect } from "../../src/gateway/config/gateway-config.ts";
import type { DescribedCase } from "../../src/gateway/policy-port/admit-simulator.ts";
import type { PolicyDoorEvent } from "../../src/gateway/policy-port/door-event.ts";
import { makePolicyDoor, type PolicyDoorHost } from "../../src/gateway/policy-port/policy-door.ts";
import type { Seat } from "../../src/gateway/seat.ts";
import type { CaseResult, CaseSpec } from "../../src/gateway/simulator.ts";
import { waitFor } from "./wait-for.ts";

type Answer = (observation: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** A case of the stage: who answers it, and how it went. */
export interface StagedPlay {
  readonly spec: CaseSpec;
  readonly sessionId: string;
  /** Every observation that the agent was asked, in order. */
  readonly asked: readonly Uint8Array[];
  /** Of the last attempt. */
  outcome: { readonly result: CaseResult } | { readonly error: SortieError } | undefined;
  attempts: number;
  /** Breaks the attempt off, as a gateway does. */
  abort(reason?: unknown): void;
  waitForEnd(): Promise<NonNullable<StagedPlay["outcome"]>>;
}

/** What keys open on the stage. */
export const keys: Readonly<Record<string, string>> = { kitchen: "key-of-kitchen", garage: "key-of-garage" };

/**
 * The doors of both dialects on a free port of this machine, in front of a scheduler that gives each seat the first case
 * that fits, once. They are closed when the test ends.
 */
export async function startPolicyStage(options: Partial<PolicyDoorHost> = {}) {
  const events: PolicyDoorEvent[] = [];
  const seats = new Set<Seat>();
  const plays: (StagedPlay & { state: DescribedCase["state"]; begin(seat: Seat): void })[] = [];
  const match = () => {
    for (const seat of seats) {
      const fits = ({ id, board = "" }: CaseSpec) =>
        seat.boards.includes(board) && (seat.caseId ?? id) === id;
      const play = plays.find(({ spec, state }) => state === "waiting" && fits(spec));
      if (play === undefined) continue;
      seats.delete(seat);
      play.begin(seat);
    }
  };
  const door = makePolicyDoor({
    clock: systemClock,
    scoreWaitMs: 20_000,
    openSimulators: false,
    boards: Object.keys(keys),
    findPayload: () => "g2",
    findBoard: (key) => Object.keys(keys).find((board) => keys[board] === key),
    describeCase: (id) => {
      const play = plays.find(({ spec }) => spec.id === id);
      return play && { board: play.spec.board ?? "", state: play.state };
    },
    offerSeat: (seat) => {
      seats.add(seat);
      match();
    },
    withdrawSeat: (seat) => seats.delete(seat),
    onEvent: (event) => events.push(event),
    ...options,
  });
  const server = createServer().on("upgrade", (request, socket, head) => {
    const dialect = (request.headers["x-dialect"] ?? findDialect(request.url)) as PolicyDialect;
    door.receive(dialect, request, socket, head);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    await door.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const addCase = (
    answer: Answer = (observation) => observation,
    told: Partial<CaseSpec> = {},
  ): StagedPlay => {
    const id = plays.length + 1;
    const spec = { id, board: "kitchen", task: "pick", index: id - 1, seed: 40 + id, ...told };
    const asked: Uint8Array[] = [];
    let aborting = new AbortController();
    let isWaiting = false;
    const infer = async (observation: Uint8Array) => {
      if (isWaiting) throw new SortieError("observation_waits", { session: `session-${id}` });
      isWaiting = true;
      asked.push(observation);
      return Promise.resolve(answer(observation)).finally(() => {
        isWaiting = false;
      });
    };
    const play: (typeof plays)[number] = {
      ...{ spec, sessionId: `session-${id}`, asked, outcome: undefined, attempts: 0, state: "waiting" },
      abort: (reason) => aborting.abort(reason),
      waitForEnd: () => waitFor(() => play.outcome, { what: `the end of case ${id}`, intervalMs: 2 }),
      begin: (seat) => {
        play.attempts += 1;
        play.state = "playing";
        aborting = new AbortController();
        seat.play({ sessionId: `session-${id}`, infer }, spec, aborting.signal).then(
          (result) => Object.assign(play, { outcome: { result }, state: "over" }),
          (error) => Object.assign(play, { outcome: { error }, state: "over" }),
        );
      },
    };
    plays.push(play);
    match();
    return play;
  };
  const makeUrl = (dialect: PolicyDialect, query = "") =>
    `ws://127.0.0.1:${port}/api/simulator/policy/${dialect}${query}`;
  return { door, events, seats, port, addCase, makeUrl };
}

export type PolicyStage = Awaited<ReturnType<typeof startPolicyStage>>;

function findDialect(target = ""): PolicyDialect {
  return target.includes("corobot") ? "corobot" : "openpi";
}
