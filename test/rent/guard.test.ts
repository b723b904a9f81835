import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { GuardPace } from "../../src/supervise/rent/guard-pace.ts";
import { ATTENDED_MARK, COLLECTED_MARK } from "../../src/targets/vast/guard/make-guard.ts";
import { parseGuardState } from "../../src/targets/vast/guard/start-guard.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { useRentStage } from "../support/rent-stage.ts";
import { SORTIE } from "../support/sortie.ts";
import { useSshd } from "../support/sshd.ts";
import type { SshdServer } from "../support/sshd-server.ts";
import { onDestroy } from "../support/vast/rules.ts";
import { waitFor } from "../support/wait-for.ts";

const sshd = useSshd();
const stage = useRentStage(sshd);
const LAUNCHER = fileURLToPath(new URL("../support/rent-launch.mjs", import.meta.url));
const PACE: Partial<GuardPace> = { lookS: 0.1, retryS: 0.5 };
/** As the double numbers and keys the first machine that is rented. */
const RENTED = { number: 30_000_001, key: "container-key-30000001" };
/** Root in a container without CAP_SYS_ADMIN may not. */
const canUnshare = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0;

describe.skipIf(!canUnshare)("the guard of a rented machine", () => {
  it("L49 has it stopped with its results when nobody at home is left; started again it gives them", async () => {
    const container = await startMachine("abandoned", "auto_destroy: true");
    const plan = await stage.ask("run", "--max-cost", "2", "--gpus", "none", "--", ...makeCommand("go"));
    const { launcher, run } = await launch(plan.plan.id, { ...PACE, uncollectedS: 0.5 });
    expect(readGuardState()).toMatchObject({ state: "watching" });
    expect(stage.vast().find(RENTED.number)?.onstart).toContain("guard.sh");

    await killAll(launcher);
    const asked = stage.vast().calls.length;
    writeFileSync(join(workspace(), "go"), "");
    await waitFor(() => isStopped(), { what: "the stop of the machine" });
    const after = stage.vast().calls.slice(asked);
    const comeBack = await container.halt();

    const { stdout } = await stage.run("show", run.id);
    expect(stdout).toMatch(/does not run: Vast\.ai says stopped.* Its guard stops it when the money/s);
    expect(readGuardState()).toMatchObject({ state: "stopping", reason: "uncollected" });
    expect(readFileSync(join(workspace(), "results", "one"), "utf8")).toBe("dear\n");
    expect(existsSync(join(run.jobFolder, "exit"))).toBe(true);
    expect(new Set(after.map(({ method, path, key }) => `${method} ${path} ${key}`))).toEqual(
      new Set([`PUT /api/v0/instances/${RENTED.number}/ ${RENTED.key}`]),
    );
    expect(stage.vast().count(onDestroy)).toBe(0);
    expect(stage.vast().readLedger()).toMatchObject([{ instance: RENTED.number, destroyedAt: null }]);

    const { pid } = readGuardState() ?? {};
    await comeBack();
    await startAgain(container);
    await waitFor(() => readGuardState()?.state === "watching", { what: "the guard to be back" });
    expect(readGuardState()?.pid).not.toBe(pid);
    expect(await stage.ask("collect", run.id)).toMatchObject({ exit: 0 });
    const isGone = () => stage.vast().readLedger()[0]?.destroyedAt !== null;
    await waitFor(isGone, { what: "the end of the machine, as agreed" });
    const { results, resultsFolder, machine } = await stage.ask("show", run.id);
    expect(results).toMatchObject([{ path: "results/one" }]);
    expect(readFileSync(join(resultsFolder, "results", "one"), "utf8")).toBe("dear\n");
    expect(machine).toMatchObject({ number: RENTED.number });
  });

  it("is told that home is at work, and leaves a machine that stays once all is home", async () => {
    await startMachine("kept");
    const plan = await stage.ask("run", "--gpus", "none", "--", ...makeCommand("go on"));
    const { run } = await launch(plan.plan.id, PACE);
    const told = readAttended();
    writeFileSync(join(workspace(), "go on"), "");
    await waitFor(() => readGuardState()?.state === "left", { what: "the guard's leave" });
    expect(readGuardState()).toMatchObject({ reason: "collected", asks: 0 });
    expect(existsSync(join(run.jobFolder, COLLECTED_MARK))).toBe(true);
    expect(readAttended() > told).toBe(true); // bringing home is work, too
    expect(await stage.ask("show", run.id)).toMatchObject({ state: "succeeded", results: [{}] });
    expect(isStopped()).toBe(false);
  });
});

const guardFolder = () => join(sshd().hostHome, ".sortie", "guard");
const workspace = () => join(sshd().hostHome, "workspace");

/** Makes its result once a file is in its folder. */
function makeCommand(file: string): string[] {
  const script = 'until [ -e "$0" ]; do sleep 0.1; done; mkdir -p results; echo dear >results/one';
  return ["sh", "-c", script, file];
}

/** The machine that the account will rent: a container with a key of its own. */
async function startMachine(name: string, ...section: readonly string[]): Promise<SshdServer> {
  stage.writeSection(...section);
  stage.vast().addOffer();
  const variables = { CONTAINER_ID: String(RENTED.number), CONTAINER_API_KEY: RENTED.key };
  const container = await sshd().startContainer(name, variables);
  stage.vast().settings.direct = { host: "127.0.0.1", port: container.proxy.port };
  return container;
}

/** Confirms a plan in a process of its own, which stays. */
async function launch(plan: string, guardPace: Partial<GuardPace>) {
  const orders = { plan, guardPace, self: [process.execPath, SORTIE] };
  const launcher = spawn(process.execPath, [LAUNCHER, JSON.stringify(orders)], {
    ...{ cwd: stage.project(), env: stage.makeEnv() as NodeJS.ProcessEnv },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  launcher.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  await waitFor(() => printed.endsWith("\n"), { timeoutMs: 60_000, what: "the launch" });
  return { launcher, run: JSON.parse(printed) };
}

/** As the vendor starts an instance for its person: what was given as `onstart` runs in it. */
async function startAgain({ proxy }: SshdServer): Promise<void> {
  const instance = stage.vast().find(RENTED.number);
  if (!instance?.onstart) throw new Error("there is nothing to run at its start");
  stage.vast().start(instance);
  const trusting = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"];
  const place = ["-F", sshd().configFile, ...trusting, "-p", String(proxy.port), "127.0.0.1"];
  const ssh = spawn("ssh", [...place, instance.onstart], { stdio: "ignore" });
  await once(ssh, "exit");
}

/** The launcher and the watcher: nobody at home is left who knows of the machine. */
async function killAll(launcher: ChildProcess): Promise<void> {
  const { identity } = JSON.parse(readFileSync(join(stage.home(), "watcher.json"), "utf8"));
  launcher.kill("SIGKILL");
  process.kill(identity.pid, "SIGKILL");
  const isLeft = () => findOwnProcesses().some(({ pid }) => pid === identity.pid || pid === launcher.pid);
  await waitFor(() => !isLeft(), { what: "the end of the launcher and the watcher" });
}

function isStopped(): boolean {
  return stage.vast().find(RENTED.number)?.intended === "stopped";
}

function readGuardState() {
  return parseGuardState(readFileSync(join(guardFolder(), "guard.json"), "utf8"));
}

/** When home was last at work there, in its own words. */
function readAttended(): string {
  return readFileSync(join(guardFolder(), ATTENDED_MARK), "utf8");
}
