import type { Outcome, Runner } from "../process/runner.ts";

/** A host on which environments are looked at and built: this machine, or one over the network. */
export interface EnvHost {
  /** For people. */
  readonly name: string;
  /** Runs a script there by the shell's `-s`. A command that fails is an outcome. @throws what keeps a host over the network from answering */
  runScript(text: string, options: ScriptOptions): Promise<Outcome>;
}

export interface ScriptOptions {
  /** Default `sh`. */
  readonly shell?: "sh" | "bash";
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onStdout?: (chunk: Buffer) => void;
}

/** This machine. @param env the whole environment of every script */
export function makeLocalHost(runner: Runner, env: Readonly<Record<string, string | undefined>>): EnvHost {
  return {
    name: runner.host,
    runScript: (stdin, { shell = "sh", ...options }) => runner.run([shell, "-s"], { ...options, stdin, env }),
  };
}
