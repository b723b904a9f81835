import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { makeSortie } from "./sortie.ts";
import { SORTIE } from "./sortie.ts";
import { waitFor } from "./wait-for.ts";

type Sortie = ReturnType<typeof makeSortie>;

/** A gateway.yaml of one small board, on free ports. `more`: further lines. */
export function writeGatewayConfig(sortie: Sortie, more = ""): string {
  const file = join(sortie.project(), "gateway.yaml");
  const board = "  manip: { simulator: reach, steps: 3, tasks: { one: 2 } }\n";
  const outside = "  kitchen: { simulator: outside, tasks: { open drawer: 1 } }\n";
  writeFileSync(file, `listen: 127.0.0.1:0\nsimulators: { workers: 1 }\nboards:\n${board}${outside}${more}`);
  return file;
}

export interface GatewayProcess {
  readonly pid: number;
  readonly api: string;
  readonly tunnel: string;
  readonly policy: { readonly openpi: string | null; readonly corobot: string | null };
  /** All that it printed. */
  readonly output: { stdout: string; stderr: string };
  kill(signal: NodeJS.Signals): void;
  /** Its exit code; null where a signal killed it. */
  readonly exitCode: Promise<number | null>;
}

/** `sortie gateway --json` in a person's project, as a process of its own; resolves once it says that it listens. */
export function startGatewayProcess(sortie: Sortie, flags: readonly string[] = []): Promise<GatewayProcess> {
  return waitForGateway(spawnGateway(flags, { cwd: sortie.project(), env: sortie.makeEnv() }));
}

export function spawnGateway(
  flags: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): ChildProcess {
  return spawn(process.execPath, [SORTIE, "gateway", "--json", ...flags], {
    ...{ cwd, env: env as NodeJS.ProcessEnv },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Waits until a gateway says that it listens. */
export async function waitForGateway(child: ChildProcess): Promise<GatewayProcess> {
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (bytes) => (output.stdout += bytes));
  child.stderr?.on("data", (bytes) => (output.stderr += bytes));
  let hasEnded = false;
  const exitCode = new Promise<number | null>((resolve) => child.on("close", resolve));
  void exitCode.then(() => (hasEnded = true));
  await waitFor(() => output.stdout.includes("\n") || hasEnded, { what: "the gateway", timeoutMs: 30_000 });
  if (hasEnded) throw new Error(`the gateway ended: ${output.stdout}${output.stderr}`);
  const { api, tunnel, policy } = JSON.parse(output.stdout).gateway;
  const pid = child.pid as number;
  return { pid, api, tunnel, policy, output, kill: (signal) => child.kill(signal), exitCode };
}
