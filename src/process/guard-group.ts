import { spawn } from "node:child_process";
import type { Writable } from "node:stream";
import guardText from "./guard-group.sh";

/**
 * Ends a process group when this process ends, by `kill -9` too: by KILL, or with some patience by TERM and then KILL.
 * Without a shell there is no guard.
 */
export function startGuard(
  groupId: number,
  { patienceS }: { patienceS: number },
): { dismiss(): Promise<void> } {
  const guard = spawn("sh", ["-c", guardText, "sh", String(groupId), String(patienceS)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    guard.once("error", () => resolve());
    guard.once("exit", () => resolve());
  });
  // Node gives a program that could not be started no stdin where descriptors are short.
  const stdin: Writable | undefined = guard.stdin;
  stdin?.on("error", () => undefined); // it was killed: there is nobody to tell any more
  return {
    dismiss() {
      stdin?.end("ended\n");
      return ended;
    },
  };
}
