import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Desk, Environment } from "../../src/supervise/desk.ts";
import { makeGpuFreeEnv } from "../support/fake-gpus.ts";
import { useFleetStage } from "../support/fleet-stage.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { SORTIE } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const stage = useFleetStage();
const { sortie } = stage;
const DRIVER = fileURLToPath(new URL("../support/terminal.py", import.meta.url));
const ENTER = "\r";
const CTRL_C = "\u0003";
const launch = (...more: string[]) => ["agents", "launch", "--handler", "policy.mjs", ...more];

/** A job whose cases take longer than any test, and agents that load at once. */
const submitLong = async () => {
  const submitted = await stage.submit({ gpus: 2, parallelism: 2, steps: 5_000, workers: 2 });
  stage.open(1, 2);
  writeFileSync(join(sortie.project(), "slow"), "");
  return submitted;
};

const listAgents = () => findOwnProcesses().filter(({ command }) => / agent --handler /.test(command));
const waitUntilPlaying = async (desk: Desk, count: number) => {
  await waitFor(() => listAgents().length === count, { timeoutMs: 30_000, what: "every agent" });
  const isPlaying = (agent: { readonly inFlight: number }) => agent.inFlight > 0;
  return stage.waitForFleet(desk, ({ agents }) => agents.every(isPlaying), "a case for each agent");
};

/** A person at a terminal: waits for a text, then types, and so on. */
const type = async (
  args: readonly string[],
  steps: readonly (readonly [string, string])[],
  { env, columns, path }: { env: Environment; columns: number; path?: string },
) => {
  const argv = ["env", `PATH=${path ?? env["PATH"]}`, process.execPath, SORTIE, ...args];
  const call = { argv, rows: 30, columns, steps };
  const outcome = await sortie.runner.run(["python3", DRIVER], {
    stdin: JSON.stringify(call),
    ...{ env: { ...env, TERM: "xterm-256color" }, cwd: sortie.project(), timeoutMs: 60_000 },
  });
  return JSON.parse(outcome.stdout) as { shown: string; exit: number; missed: string | null };
};

it("T44 on a terminal asks how many, draws a table, and ends every group at the second Ctrl-C", async () => {
  const { desk } = await submitLong();
  const seen = await type(
    launch(),
    [
      ["How many agents, 1 to 2?", `2${ENTER}`],
      ["Launch it?", ENTER],
      ["2 of 2 agents up, 2 sessions", CTRL_C],
      ["2 cases are in flight and would be lost. What now?", CTRL_C],
    ],
    { env: desk.env, columns: 80 },
  );
  expect(seen.missed, seen.shown).toBeNull();
  expect(listAgents()).toEqual([]);
  expect(seen.exit).toBe(130);
  expect(seen.shown).toMatch(/Ending every agent …\s+agents-\w{8} is ended; nothing of it is left\./);
  expect(seen.shown).toMatch(/AGENT {2}GPU {2}STATE/);
  const [fleet] = (await sortie.ask(["agents", "ls"], { env: desk.env })).fleets;
  expect(fleet.agents.map(({ state }: { state: string }) => state)).toEqual(["stopped", "stopped"]);
});

it("asks a person how many GPUs there are where no program can count them", async () => {
  const { desk } = await submitLong();
  const seen = await type(
    launch(),
    [
      ["How many GPUs has this machine?", `2${ENTER}`],
      ["How many agents, 1 to 2?", `3${ENTER}`],
      ["A whole number from 1 to 2.", `\u007f1${ENTER}`],
      ["Launch it?", `n${ENTER}`],
    ],
    { env: desk.env, columns: 200, path: makeGpuFreeEnv(sortie.temp())["PATH"] },
  );
  expect(seen.missed, seen.shown).toBeNull();
  expect(seen.exit).toBe(3);
  expect(seen.shown).toMatch(/use GPU 0, each|1 agent against/);
});

it("elsewhere proposes a number, and starts none that was not named", async () => {
  const { desk, job } = await submitLong();
  const env = desk.env;
  const proposed = await sortie.ask(launch(), { env });
  expect(proposed).toMatchObject({
    exit: 3,
    plan: { k: 2, parallelism: 2, gpusFree: 2, jobUuid: job.uuid, endpoint: expect.stringMatching(/^ws:/) },
    confirm: `sortie confirm ${proposed.plan.id}`,
  });
  expect(proposed.plan.sideEffects[0]).toBe(
    `2 agents against ${job.uuid} at ${proposed.plan.endpoint}, one GPU each`,
  );
  const refuse = async (code: string, ...flags: string[]) => {
    const refused = await sortie.ask(launch(...flags), { env });
    expect([flags, refused.exit, refused.error.code]).toEqual([flags, 2, code]);
  };
  await refuse("fleet_agents_open", "--yes");
  await refuse("usage", "--agents", "0");
  await refuse("usage", "--agents", "1", "--runner", "./run.sh");
  await refuse("value_bad", "--agents", "1", "--stagger", "soon");
  expect(listAgents()).toEqual([]);
});

it("goes on after a hang-up, and is stopped while its job is live by force alone", async () => {
  const { desk } = await submitLong();
  const env = desk.env as Record<string, string>;
  const hung = sortie.start(launch("--agents", "2", "--yes"), env);
  await waitUntilPlaying(desk, 2);
  hung.kill("SIGHUP");
  await hung.exitCode;
  expect(listAgents()).toHaveLength(2);
  const refused = await sortie.ask(["agents", "stop"], { env });
  expect(refused).toMatchObject({ exit: 2, error: { code: "fleet_stop_live" } });
  expect(refused.error.message).toContain("2 cases in flight (agents 1, 2)");
  const logs = await sortie.run(["agents", "logs", "2", "-n", "3"], { env });
  expect(logs.stdout).toMatch(/^(2 \| .*\n){3}$/);
  const stopped = await sortie.ask(["agents", "stop", "--force"], { env });
  expect(stopped).toMatchObject({ exit: 0, wasEnded: false, lost: "2 cases in flight (agents 1, 2)" });
  expect(listAgents()).toEqual([]);
  const again = await sortie.ask(launch("--agents", "2", "--yes"), { env });
  expect(again).toMatchObject({ exit: 2, error: { code: "fleet_window" } });
});

it("ends at TERM without a question", async () => {
  const { desk } = await submitLong();
  const launched = sortie.start(launch("--agents", "1", "--yes"), desk.env as Record<string, string>);
  await waitUntilPlaying(desk, 1);
  launched.kill("SIGTERM");
  expect(await launched.exitCode).toBe(143);
  expect(listAgents()).toEqual([]);
  await waitFor(() => findOwnProcesses().length === 0, { what: "the end of the watcher" });
});
