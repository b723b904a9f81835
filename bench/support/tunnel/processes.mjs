import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 20_000;
const MOST_SAID = 4_000;

/**
 * Starts one hop as a process of its own and waits for the line of JSON by which it says that it is ready (`said`).
 * `stop` closes its standard input, which ends it, and waits for that: when this process dies no hop is left either.
 */
export async function startHop(argv, options = {}) {
  const { child, ended } = start(argv, options);
  const said = await Promise.race([readAnnouncement(child.stdout), failAtEnd(ended, argv), giveUp(argv)]);
  return { pid: child.pid, said, stop: () => endChild(child, ended, () => child.stdin.end()) };
}

/**
 * Starts an agent. It is not heard while all goes well; `failed` rejects with what it said if it ends before `stop`,
 * which ends it by a signal. When this process dies the gateway drains it.
 */
export function startAgentHop(argv, options = {}) {
  const { child, ended } = start(argv, { ...options, stderr: "pipe" });
  const failed = hearEnd(child, ended, argv);
  failed.catch(() => undefined); // whoever waits for it is told
  return { pid: child.pid, failed, stop: () => endChild(child, ended, () => child.kill()) };
}

/** What the program of a hop says once it listens. It lives until its standard input ends, and then until `leave` is done. */
export function announce(facts, leave = async () => undefined) {
  console.log(JSON.stringify(facts));
  process.stdin.resume().once("end", async () => {
    await leave();
    process.exit();
  });
}

function start(argv, { env = process.env, stderr = "inherit" }) {
  const child = spawn(argv[0], argv.slice(1), { env, stdio: ["pipe", "pipe", stderr] });
  return { child, ended: once(child, "exit") };
}

async function hearEnd(child, ended, argv) {
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said = (said + text).slice(-MOST_SAID);
  });
  const [code, signal] = await ended;
  throw new Error(`${argv.join(" ")} ended with ${signal ?? code}:\n${said}`);
}

async function readAnnouncement(stream) {
  for await (const line of createInterface({ input: stream })) return JSON.parse(line);
  return new Promise(() => undefined); // it is ending, and that is told by its exit
}

async function failAtEnd(ended, argv) {
  const [code, signal] = await ended;
  throw new Error(`${argv.join(" ")} ended with ${signal ?? code} before it was ready`);
}

async function giveUp(argv) {
  await sleep(PATIENCE_MS, undefined, { ref: false });
  throw new Error(`${argv.join(" ")} was not ready within ${PATIENCE_MS / 1000} s`);
}

async function endChild(child, ended, ask) {
  ask();
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await ended;
  clearTimeout(timer);
}
