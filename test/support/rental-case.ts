import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listEvents } from "../../src/runs/events.ts";
import type { RunRecord } from "../../src/runs/run-record.ts";
import { listRuns } from "../../src/runs/run-store.ts";
import { isEnded } from "../../src/runs/states.ts";
import { chooseTargetFor } from "../../src/supervise/choose-target.ts";
import { closeDesk, type Desk, openDesk } from "../../src/supervise/desk.ts";
import { makeRequest, type RunWish } from "../../src/supervise/make-request.ts";
import type { Instance } from "../../src/supervise/rent/instance.ts";
import { findInstanceOf } from "../../src/supervise/rent/instance-store.ts";
import { planRental, type RentFlags } from "../../src/supervise/rent/plan-rental.ts";
import { findOwnProcesses, hasVariable, killQuietly } from "./own-processes.ts";
import { makeQuickClock } from "./quick-clock.ts";
import { makeSortie, SORTIE } from "./sortie.ts";
import type { TestSshd } from "./sshd.ts";
import { startVastDouble } from "./vast/vast-double.ts";
import { waitFor } from "./wait-for.ts";

export type RentalCase = Awaited<ReturnType<typeof openCase>>;

/** A person with an account of their own at the double, whose machines share the host of the tests. Cases may stand side by side. */
export async function withRentalCase(
  sshd: TestSshd,
  work: (rental: RentalCase) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sortie 'rental' "));
  const rental = await openCase(folder, sshd);
  try {
    await work(rental);
  } finally {
    rental.close();
    for (const { pid } of listProcessesOf(rental.sortie.home())) killQuietly(pid);
    await waitFor(() => listProcessesOf(rental.sortie.home()).length === 0, { what: "the end of all" });
    await rental.vast.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function openCase(folder: string, { personHome, socketFolder, port }: TestSshd) {
  const sortie = makeSortie(() => folder);
  const vast = await startVastDouble();
  vast.settings.direct = { host: "127.0.0.1", port };
  vast.account.sshKeys.push(readFileSync(join(personHome, ".ssh", "id_ed25519.pub"), "utf8"));
  for (const dollarsPerHour of [0.4, 0.5, 0.6]) vast.addOffer({ dollarsPerHour });
  const env = { ...vast.env, HOME: personHome, XDG_RUNTIME_DIR: socketFolder };
  const ranFile = join(folder, "ran");
  writeSection("auto_destroy: true");

  function writeSection(...lines: readonly string[]) {
    const places = [`Code dir: \`${folder}/host/code\``, `job_dir: \`${folder}/host/jobs\``];
    const text = ["## Vast.ai", ...["gpu: vast", ...places, ...lines].map((line) => `- ${line}`), ""];
    writeFileSync(join(sortie.project(), "AGENTS.md"), text.join("\n"));
  }

  const wish: Partial<RunWish> = {
    command: ["sh", "-c", `echo ran >>"$1"; mkdir -p results; echo 1 >results/a`, "sh", ranFile],
    ...{ cwd: sortie.project(), target: null, name: null, gpus: "none", gpu: [], envFiles: [] },
    ...{ isCwdGiven: true, variables: {}, results: null, timeoutS: null, graceS: 1, expectS: null },
    ...{ waitGpuS: null, freeze: false, copies: [], environment: null, unverified: false },
  };
  const desk: Desk = openDesk({ env: sortie.makeEnv(env), self: [process.execPath, SORTIE] });
  /** Of this very process: its clock does not wait, and the vendor's goes with it. Nobody else watches. */
  const quick: Desk = { ...desk, self: ["true"], clock: makeQuickClock((ms) => vast.clock.shift(ms)) };

  /** Runs one of the drivers to its end. */
  const drive = (name: string, orders: object) => {
    const script = fileURLToPath(new URL(name, import.meta.url));
    const child = spawn(process.execPath, [script, JSON.stringify({ self: ["true"], ...orders })], {
      env: sortie.makeEnv(env) as NodeJS.ProcessEnv,
      ...{ cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
    });
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    const ended = new Promise<{ signal: string | null; exitCode: number | null; stderr: string }>((resolve) =>
      child.on("close", (exitCode, signal) => resolve({ exitCode, signal, stderr })),
    );
    return { ended, kill: () => child.kill("SIGKILL") };
  };
  const look = () =>
    listRuns(desk.store).map((run) => ({ run, machine: findInstanceOf(desk.store, run.id) as Instance }));

  return {
    ...{ folder, sortie, vast, env, desk, quick, ranFile, writeSection, look },
    /** Plans a run in this process. */
    plan: async (flags: RentFlags = { max_cost: "2" }) => {
      const place = { cwd: sortie.project(), wanted: null };
      const choice = await chooseTargetFor(quick, place, { mayRent: true });
      if ("trust" in choice) throw new Error("the project is trusted");
      const request = makeRequest(wish as RunWish, choice.target);
      const more = { place, variables: {}, flags, mayBeUnguarded: true };
      return planRental(quick, { request, chosen: choice.target, ...more });
    },
    /** `script`: what runs, in place of what makes one small result. */
    rent: ({ script, ...kill }: { dieAt?: string; dieAtLaunch?: string; script?: string }) =>
      drive("crash-rent.mjs", { wish: script ? { ...wish, command: ["sh", "-c", script] } : wish, ...kill }),
    watch: (dieAt: string) => drive("crash-watch.mjs", { dieAt }).ended,
    run: (...args: readonly string[]) => sortie.run(args, { env }),
    ask: (...args: readonly string[]) => sortie.ask(args, { env }),
    countRuns: () => (existsSync(ranFile) ? readFileSync(ranFile, "utf8").split("\n").length - 1 : 0),
    /** What became of the run and its machine, in order. */
    listKinds: ({ id }: RunRecord) => listEvents(desk.store, id).map(({ kind }) => kind),
    /** One command, as a person gives it; then it is for the watcher to see to all. */
    async settle() {
      await sortie.run(["ls"], { env });
      const isOver = ({ run, machine }: ReturnType<typeof look>[number]) =>
        isEnded(run.state) && run.results !== null && machine.state === "gone";
      await waitFor(() => look().every(isOver), {
        timeoutMs: 50_000,
        intervalMs: 100,
        what: "the end of all",
      });
      return look();
    },
    close: () => closeDesk(desk),
  };
}

function listProcessesOf(home: string) {
  return findOwnProcesses().filter(
    ({ pid, command }) => !/\[mux\]/.test(command) && hasVariable(pid, `SORTIE_HOME=${home}`),
  );
}
