import { describeFault } from "../../base/error.ts";
import type { DescribedCase } from "../policy-port/admit-simulator.ts";
import { makePolicyDoor, type PolicyDoor } from "../policy-port/policy-door.ts";
import { findCase } from "../records/cases.ts";
import { findJob } from "../records/jobs.ts";
import { findSimulatorBoard } from "../records/simulator-keys.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import type { ChallengeJobs } from "./challenge-jobs.ts";
import type { ChallengeOptions } from "./challenge-options.ts";

/** The door of simulators from outside, whose connections are seats like any other. */
export function makeOutsideDoor(
  desk: ChallengeDesk,
  jobs: ChallengeJobs,
  { openSimulators = false }: ChallengeOptions,
): PolicyDoor {
  const { config, records, clock, side, report } = desk;
  const { scheduler } = side.host;
  return makePolicyDoor({
    onEvent: (event) => report("", "", event),
    onFault: (fault) => report("", "", { type: "server_fault", why: describeFault(fault) }),
    ...{ clock, openSimulators, scoreWaitMs: config.simulators.scoreWaitMs },
    boards: config.boards.filter(({ simulator }) => simulator === "outside").map(({ name }) => name),
    findPayload: (name) => config.boards.find((board) => board.name === name)?.payload ?? "opaque",
    findBoard: (key) => findSimulatorBoard(records, key),
    offerSeat: (seat) => scheduler.offerSeat(seat),
    withdrawSeat: (seat) => scheduler.withdrawSeat(seat),
    describeCase: (id) => describeCase(id, desk, jobs),
  });
}

function describeCase(
  id: number,
  { records }: ChallengeDesk,
  jobs: ChallengeJobs,
): DescribedCase | undefined {
  const found = findCase(records, id);
  const job = found && findJob(records, found.jobId);
  if (found === undefined || job === undefined) return undefined;
  const { board } = job;
  if (found.state === "waiting") return { board, state: "waiting" };
  // After a restart a case is still its agent's, and waits for its simulator to come back.
  if (found.state === "playing") return { board, state: jobs.isAwaited(job.id, id) ? "waiting" : "playing" };
  return { board, state: "over" };
}
