import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeId } from "../../src/base/ids.ts";
import { makeNewRun } from "../../src/runs/new-run.ts";
import type { RunRecord } from "../../src/runs/run-record.ts";
import { insertRun, loadRun } from "../../src/runs/run-store.ts";
import type { Seat } from "../../src/runs/seat.ts";
import { isEnded } from "../../src/runs/states.ts";
import { chooseTargetFor } from "../../src/supervise/choose-target.ts";
import { closeDesk, openDesk } from "../../src/supervise/desk.ts";
import { makeTarget, THIS_MACHINE } from "../../src/supervise/find-target.ts";
import { makeRequest, type RunWish } from "../../src/supervise/make-request.ts";
import { parkRun } from "../../src/supervise/park-run.ts";
import { planRun } from "../../src/supervise/plan-run.ts";
import { settleRun } from "../../src/supervise/settle-runs.ts";
import { startSeat } from "../../src/supervise/start-seat.ts";
import { makeFakeGpus, makeFakeUuid } from "./fake-gpus.ts";
import { findOwnProcesses, hasVariable, killQuietly } from "./own-processes.ts";
import { makeSortie, SORTIE } from "./sortie.ts";
import { waitFor } from "./wait-for.ts";

/** Given to every seat as its token: once its run has ended no file may hold it. */
export const SEAT_TOKEN = "t0ken-of-the-seat-tests";

export type SeatCase = ReturnType<typeof makeCase>;

/** A home of its own with one GPU, in which runs with a seat are started. Cases may stand side by side. */
export async function withSeatCase(work: (place: SeatCase) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sortie 'seat' "));
  const place = makeCase(folder);
  try {
    await work(place);
  } finally {
    closeDesk(place.desk);
    for (const { pid } of place.listProcesses()) killQuietly(pid);
    await waitFor(() => place.listProcesses().length === 0, { what: "the end of every process" });
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function makeCase(folder: string) {
  const sortie = makeSortie(() => folder);
  const machine = makeFakeGpus(folder);
  const env = sortie.makeEnv(machine.env);
  const desk = openDesk({ env, self: [process.execPath, SORTIE] });
  return {
    folder,
    sortie,
    desk,
    machine,
    env,
    load: (id: string) => loadRun(desk.store, id),

    /** A run that waits for its first start, as a fleet puts it in line. */
    async park(command: readonly string[], seat: Partial<Seat> = {}): Promise<RunRecord> {
      const { target } = (await chooseTargetFor(desk, { cwd: sortie.project(), wanted: "local" })) as {
        target: Parameters<typeof makeRequest>[1];
      };
      const request = makeRequest(makeWish(command, sortie.project()), target);
      const plan = await planRun(desk, request, target, {});
      const id = makeId("r");
      const run = {
        ...makeNewRun({
          ...{ id, name: plan.terms.name, plan: plan.id, target: "local", kind: "local", request },
          ...{ host: desk.identity.host, environment: plan.terms.environment, git: null },
          ...{ createdAt: new Date().toISOString(), jobFolder: join(plan.terms.jobDir, id) },
          ...{ expected: plan.terms.expected, notes: [], launcher: desk.identity, startIntentAt: null },
        }),
        seat: { ...makeSeat(), ...seat },
      };
      insertRun(desk.store, run);
      const variables = { JOB_TOKEN: SEAT_TOKEN };
      const launch = { plan, target: makeTarget(desk, THIS_MACHINE), gpuCandidates: [], variables, env };
      return parkRun(desk, run, launch, "its turn", () => undefined);
    },

    start: (run: RunRecord) => startSeat(desk, run, () => undefined),

    /** Looks until the run is in one of the states. */
    waitForState: (id: string, ...states: string[]) =>
      waitFor(
        async () => {
          const run = await settleRun(desk, id);
          if (isEnded(run.state) && !states.includes(run.state)) throw new Error(JSON.stringify(run));
          return states.includes(run.state) ? run : null;
        },
        { timeoutMs: 20_000, what: states.join(" or ") },
      ),

    /** Kills the command of a running attempt with signal 9, once it has printed something. */
    async killCommand(id: string): Promise<void> {
      const { pid, log } = await waitFor(
        async () => {
          const run = await settleRun(desk, id);
          return run.pid !== null && readQuietly(run.log) !== "" ? run : null;
        },
        { what: "its command" },
      );
      if (readQuietly(log) !== "") process.kill(pid as number, "SIGKILL");
    },

    listProcesses: () =>
      findOwnProcesses().filter(({ pid }) => hasVariable(pid, `SORTIE_HOME=${sortie.home()}`)),
  };
}

function makeSeat(): Seat {
  return {
    ...{ fleet: "f-test", number: 1, runner: "handler", agentId: "agent-one" },
    gpu: { uuid: makeFakeUuid(0), index: 0 },
    ...{ restarts: 0, attemptEndedAt: null, notBefore: null },
  };
}

function makeWish(command: readonly string[], cwd: string): RunWish {
  return {
    ...{ command, cwd, isCwdGiven: true, target: null, name: null, gpus: "none", gpu: [], envFiles: [] },
    ...{
      variables: {},
      results: null,
      timeoutS: null,
      graceS: 1,
      expectS: null,
      waitGpuS: null,
      freeze: false,
      copies: [],
      environment: null,
      unverified: false,
    },
  };
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // not yet
  }
}
