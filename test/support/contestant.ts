import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, onTestFinished } from "vitest";
import { type GatewayEvent, type JobSpec, makeEchoSimulator, startGateway } from "../../src/gateway.ts";
import { type FakeGpus, type FakeGpusSpec, makeFakeGpus } from "./fake-gpus.ts";
import { findOwnProcesses, killQuietly, type OwnProcess } from "./own-processes.ts";
import { useTempFolder } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";

export const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
export const PYTHON_DOOR = join(CHECKOUT, "contestant_sdk", "python");

type Env = Readonly<Record<string, string | undefined>>;

/** Of whoever runs the tests: an agent would find its token, its job or its Python there. */
const FOREIGN = [
  ...["JOB_TOKEN", "JOB_UUID", "CHALLENGE_TOKEN", "TUNNEL_ENDPOINT", "SIMUBOTIX_GATEWAY_URL"],
  ...["SORTIE_RUN_ID", "SORTIE_RUN_DIR", "SORTIE_HANDLER", "SORTIE_HANGUP", "SORTIE_CHALLENGE_URL"],
  ...["VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_VISIBLE_DEVICES"],
];

export interface Started {
  readonly pid: number;
  /** What it and its children have printed so far, both streams. */
  readonly output: () => string;
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }>;
  signal(name: NodeJS.Signals): void;
  signalGroup(name: NodeJS.Signals): void;
  waitForOutput(text: string, times?: number): Promise<unknown>;
}

/**
 * A contestant's machine for each test of a file: a home with a state file, stand-in GPUs, programs that are started as a
 * terminal starts them, in a group of their own. After each test all that still runs is killed.
 */
export function useContestant(gpus: FakeGpusSpec = { gpus: [{}, {}] }) {
  const temp = useTempFolder();
  let machine: FakeGpus | undefined;
  afterEach(async () => {
    machine = undefined;
    for (const { pid } of findOwnProcesses()) killQuietly(pid);
    await waitFor(() => findOwnProcesses().length === 0, { what: "the end of every process" });
  });

  const home = () => makeFolder(join(temp(), "home"));
  const makeEnv = (more: Env = {}): Env => {
    machine ??= makeFakeGpus(temp(), gpus);
    const own = Object.fromEntries(FOREIGN.map((name) => [name, undefined]));
    return { ...process.env, ...own, ...machine.env, HOME: home(), ...more };
  };
  const writeState = (values: Readonly<Record<string, string>>) => {
    const path = join(home(), ".simubotix-challenge.env");
    writeFileSync(
      path,
      Object.entries(values)
        .map(([name, value]) => `${name}='${value}'\n`)
        .join(""),
    );
    chmodSync(path, 0o600);
  };
  /** Writes a script as a person types it, and answers its path. */
  const writeScript = (name: string, text: string) => {
    const path = join(temp(), name);
    writeFileSync(path, text);
    return path;
  };
  const start = (argv: readonly string[], options: { env?: Env; cwd?: string } = {}): Started =>
    startProgram(argv, makeEnv(options.env), options.cwd ?? CHECKOUT);
  /** Starts a program and waits for its end. */
  const run = async (argv: readonly string[], options: { env?: Env; cwd?: string } = {}) => {
    const started = start(argv, options);
    return { ...(await started.ended), output: started.output() };
  };
  /** Nothing that a program started may outlive its end by more than 5 s. */
  const waitUntilQuiet = () =>
    waitFor(() => findOwnProcesses().length === 0, { timeoutMs: 5_000 }).catch(() => {
      throw new Error(`after 5 s there still are: ${findOwnProcesses().map(describeProcess).join("; ")}`);
    });
  return { temp, home, makeEnv, writeState, writeScript, start, run, waitUntilQuiet };
}

/** A gateway with one job whose cases are played by the echo simulator; it stops with the test. */
export async function startJob(spec: Partial<JobSpec> & { cases?: JobSpec["cases"] } = {}) {
  const events: GatewayEvent[] = [];
  const gateway = await startGateway({ onEvent: (event) => events.push(event) });
  onTestFinished(() => gateway.stop(0));
  const job = gateway.addJob({
    owner: "ann",
    parallelism: 2,
    cases: makeCases(4),
    simulator: makeEchoSimulator({ steps: 5, frameBytes: 60_000 }),
    ...spec,
  });
  const count = (type: GatewayEvent["type"]) => events.filter((event) => event.type === type).length;
  return {
    gateway,
    job,
    events,
    waitForEvents: (type: GatewayEvent["type"], least: number) =>
      waitFor(() => count(type) >= least, { timeoutMs: 30_000, what: `${least} events "${type}"` }),
    state: { JOB_UUID: job.uuid, JOB_TOKEN: job.token, TUNNEL_ENDPOINT: gateway.tunnelUrl, PARALLELISM: "2" },
  };
}

export function makeCases(count: number): JobSpec["cases"] {
  return Array.from({ length: count }, (_, index) => ({ task: "pick", index, seed: index }));
}

function startProgram([program = "", ...args]: readonly string[], env: Env, cwd: string): Started {
  const child = spawn(program, args, {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const pid = child.pid as number;
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (text += part));
  const ended = new Promise<Awaited<Started["ended"]>>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  return {
    pid,
    ended,
    output: () => text,
    signal: (name) => void process.kill(pid, name),
    signalGroup: (name) => void process.kill(-pid, name),
    waitForOutput: (wanted, times = 1) =>
      waitFor(() => text.split(wanted).length > times, {
        timeoutMs: 30_000,
        what: `"${wanted}" in: ${text}`,
      }),
  };
}

function describeProcess({ pid, command }: OwnProcess): string {
  return `${pid} ${command.slice(0, 200)}`;
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}
