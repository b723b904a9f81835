import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeRatios, describeValues } from "./support/quantiles.mjs";
import { printLine } from "./support/report.mjs";
import { measureRounds } from "./support/rounds.mjs";
import { waitForQuiet } from "./support/runs.mjs";
import { closeConnections, startSshHosts } from "./support/ssh-hosts.mjs";
import { openWorkspace, SORTIE } from "./support/workspace.mjs";

const ROUNDS = 10;
const MOST_TIMES_BY_HAND = 0.5;
const MOST_COMMANDS = 4;
const FIRST = "sortie run --yes --detach, the first";
/** So long a launch looks on before it is called verified; nobody who types does that. */
const WATCHED_MS = 1000;

/** A launch on a server, from the command to the verified run, against the same steps typed one by one. */
export async function run() {
  const workspace = openWorkspace();
  const hosts = await startSshHosts(workspace, { aliases: ["box"] });
  try {
    const place = { ...workspace, hosts, counter: countSsh(workspace, hosts) };
    makeProject(place);
    return report(await measureRounds(ROUNDS, makeCases(place)));
  } finally {
    await workspace.close();
    await hosts.stop();
  }
}

/** An `ssh` on PATH that notes who called it, and what for, and becomes the real one; rsync finds it, too. */
function countSsh({ folder, env }, { configFile }) {
  const bin = join(folder, "bin");
  const file = join(folder, "calls");
  mkdirSync(bin);
  const real = execFileSync("sh", ["-c", "command -v ssh"], { encoding: "utf8" }).trim();
  const note = `echo "$PPID $*" >>'${file}'`;
  const lines = ["#!/bin/sh", note, `exec ${real} -F '${configFile}' "$@"`, ""];
  writeFileSync(join(bin, "ssh"), lines.join("\n"), { mode: 0o755 });
  return { file, env: { ...env, PATH: `${bin}:${env.PATH}` } };
}

function makeProject({ project, hosts }) {
  const lines = ["## Remote Server", "- SSH: `ssh box`", `- Code dir: \`${hosts.home}/sortie/\``, ""];
  writeFileSync(join(project, "AGENTS.md"), lines.join("\n"));
  writeFileSync(join(project, "train.py"), "print('up', flush=True)\nimport time\ntime.sleep(1.5)\n");
}

function makeCases(place) {
  return {
    "typed by hand": () => timeByHand(place),
    [FIRST]: () => timeSortie(place, { isWarm: false }),
    "sortie run --yes --detach, the next ones": () => timeSortie(place, { isWarm: true }),
  };
}

/** The user's own steps: GPUs, rsync, screen, and whether the screen is there; a connection each. */
function timeByHand({ env, hosts, project, counter }) {
  const to = `${hosts.home}/by-hand/`;
  const rsh = ["-e", `ssh -F ${hosts.configFile}`];
  const name = `hand${process.hrtime.bigint()}`;
  const startedMs = performance.now();
  call(counter.env, project, [
    "ssh",
    "box",
    "nvidia-smi --query-gpu=index,memory.used,memory.total --format=csv,noheader || true",
  ]);
  call(env, project, ["rsync", "-az", ...rsh, "--include=*.py", "--exclude=*", "./", `box:${to}`]);
  call(counter.env, project, [
    "ssh",
    "box",
    `cd ${to} && screen -dmS ${name} bash -c 'python3 train.py 2>&1 | tee log'`,
  ]);
  call(counter.env, project, ["ssh", "box", "screen -ls"]);
  const tookMs = performance.now() - startedMs;
  call(counter.env, project, ["ssh", "box", `screen -S ${name} -X quit; true`]);
  return { tookMs, commands: 4 };
}

async function timeSortie(place, { isWarm }) {
  const { project, counter } = place;
  if (!isWarm) closeConnections(place);
  writeFileSync(counter.file, "");
  const startedMs = performance.now();
  const flags = ["--json", "--yes", "--detach", "--gpus", "none"];
  const { stdout, pid } = call(counter.env, project, [
    ...SORTIE,
    "run",
    ...flags,
    "--",
    "python3",
    "train.py",
  ]);
  const tookMs = performance.now() - startedMs - WATCHED_MS;
  const commands = countCalls(counter.file, pid);
  await waitForQuiet(place, JSON.parse(stdout).run.id);
  return { tookMs, commands };
}

/** What that process ran on the host, by rsync too: the watcher's questions, and what only asked ssh about itself, do not count. */
function countCalls(file, pid) {
  const calls = readFileSync(file, "utf8").trim().split("\n");
  const own = calls.filter((line) => line.startsWith(`${pid} `) || line.includes(" rsync --server "));
  return own.filter((line) => !/ -[GO] /.test(line)).length;
}

function call(env, cwd, [program, ...args]) {
  const { status, stdout, stderr, pid } = spawnSync(program, args, { env, cwd, encoding: "utf8" });
  if (status === 0) return { stdout, pid };
  throw new Error(`${program} ${args.join(" ")}: exit ${status}\n${stdout}${stderr}`);
}

function report(times) {
  const { "typed by hand": byHand, ...launches } = times;
  const handMs = byHand.map(({ tookMs }) => tookMs);
  printLine({ label: "typed by hand, 4 commands", figure: describeValues(handMs).median, unit: " ms" });
  const held = Object.entries(launches).map(([label, seen]) => {
    const tookMs = seen.map((one) => one.tookMs);
    const detail = `${describeValues(tookMs).median.toFixed(0)} ms`;
    const { median, p10, p90 } = describeRatios(tookMs, handMs);
    // The first one makes the connection that the others share: what is promised counts from there.
    const promise = label === FIRST ? {} : { most: MOST_TIMES_BY_HAND };
    const isQuick = printLine({ label, figure: median, p10, p90, unit: " ×", ...promise, detail });
    const commands = Math.max(...seen.map((one) => one.commands));
    const few = { label: `${label}, commands`, figure: commands, unit: "", most: MOST_COMMANDS };
    return printLine(few) && isQuick;
  });
  return held.every(Boolean);
}
