import type { GroupEnd } from "../process/process-group.ts";

/** What the signals that end a handler usually mean. */
const meanings: Readonly<Record<string, string>> = {
  SIGSEGV: "a crash in native code",
  SIGBUS: "a crash in native code",
  SIGILL: "a crash in native code",
  SIGFPE: "a crash in native code",
  SIGABRT: "native code gave up",
  SIGKILL: "somebody killed it, or the system ran out of memory",
  SIGTERM: "somebody asked it to end",
  SIGINT: "somebody interrupted it",
};

/** How a process ended, as the rest of a sentence: `it exited with code 3`. */
export function describeProcessEnd({ exitCode, signal }: GroupEnd): string {
  if (signal === null) return `it exited with code ${exitCode}`;
  const meaning = meanings[signal];
  return meaning === undefined ? `signal ${signal} ended it` : `signal ${signal} ended it (${meaning})`;
}
