import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { SortieError } from "../base/error.ts";

/** What a terminal sends to all that runs in it, and what only this process gets. */
const FOR_ALL = ["SIGINT", "SIGQUIT"] as const;
const FOR_US = ["SIGTERM", "SIGHUP"] as const;

const ADVICE = "Install it, or let PATH name its folder.";

/**
 * Runs a command in this process's own place: its streams and its terminal are the command's until that has ended.
 * Answers with its exit code, 128 + N after signal N. @throws tool_missing
 */
export async function runInTerminal(
  argv: readonly string[],
  { env, cwd }: { env: Readonly<Record<string, string | undefined>>; cwd?: string },
): Promise<number> {
  const [program = "", ...rest] = argv;
  return new Promise((resolve, reject) => {
    const refuse = (fault: unknown) =>
      reject(new SortieError("tool_missing", { tool: program, host: "this machine", advice: ADVICE }, fault));
    let child: ChildProcess;
    try {
      child = spawn(program, rest, { env: env as NodeJS.ProcessEnv, cwd, stdio: "inherit" });
    } catch (fault) {
      return refuse(fault);
    }
    const stopListening = handSignalsOn(child);
    child.once("error", (fault) => {
      stopListening();
      refuse(fault);
    });
    child.once("exit", (code, signal) => {
      stopListening();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** Until the answer is called a signal does not end this process: the command decides. */
function handSignalsOn(child: ChildProcess): () => void {
  const ignore = () => undefined;
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of FOR_ALL) process.on(signal, ignore);
  for (const signal of FOR_US) process.on(signal, pass);
  return () => {
    for (const signal of FOR_ALL) process.off(signal, ignore);
    for (const signal of FOR_US) process.off(signal, pass);
  };
}
