import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { CHECKOUT } from "./contestant.ts";

const PYTHON = join(CHECKOUT, ".venv", "bin", "python");

/** Why tests cannot run Python simulators here; undefined: they can. */
export function findPythonLack(): string | undefined {
  const needed = "import openpi_client.websocket_client_policy, websockets, msgpack";
  try {
    execFileSync(PYTHON, ["-c", needed], { stdio: ["ignore", "ignore", "pipe"] });
    return undefined;
  } catch {
    return `.venv has no openpi-client: ${PYTHON} cannot "${needed}"`;
  }
}

export interface SimulatorOutcome {
  readonly exitCode: number | null;
  /** What it printed, one document a line. */
  readonly said: readonly Record<string, unknown>[];
  readonly stderr: string;
}

/** Runs a client of `fixtures/simulators` to its end. */
export async function runPythonSimulator(name: string, args: readonly string[]): Promise<SimulatorOutcome> {
  const { exitCode, stdout, stderr } = await runPython(join("fixtures", "simulators", name), args);
  const said = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { exitCode, said, stderr };
}

/** Runs a Python program of the checkout to its end. It reaches this machine past any proxy. */
export function runPython(file: string, args: readonly string[]) {
  const env = { ...process.env, NO_PROXY: "*", no_proxy: "*", PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn(PYTHON, [join(CHECKOUT, file), ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  return new Promise<{ exitCode: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}
