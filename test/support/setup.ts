import { afterAll } from "vitest";
import { findOwnProcesses, markOwnProcesses } from "./own-processes.ts";
import { refuseOutside } from "./refuse-outside.ts";
import { findLeftFolders } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";

/** What has been told to end may need this long to be gone. */
const SETTLE_MS = 5_000;

markOwnProcesses();
refuseOutside();
const before = countSockets();

/** Registered first, so it runs last: a test file leaves no process, no folder and no socket behind. */
afterAll(async () => {
  await waitFor(isClean, { timeoutMs: SETTLE_MS }).catch(() => undefined); // what is left is told below
  const leaks = findLeaks();
  for (const { pid } of findOwnProcesses()) process.kill(pid, "SIGKILL");
  if (leaks.length > 0) throw new Error(`this test file left behind:\n  ${leaks.join("\n  ")}`);
});

/** Two looks: a process may start another and end while the first look is on its way through the list. */
function isClean(): boolean {
  return findLeaks().length === 0 && findLeaks().length === 0;
}

function findLeaks(): string[] {
  const processes = findOwnProcesses().map(({ pid, command }) => `process ${pid}: ${command}`);
  const folders = findLeftFolders().map((path) => `folder ${path}`);
  const sockets = countSockets() - before;
  return [...processes, ...folders, ...(sockets > 0 ? [`${sockets} open sockets or servers`] : [])];
}

function countSockets(): number {
  const kinds = ["TCPSocketWrap", "TCPServerWrap", "PipeServerWrap"];
  return process.getActiveResourcesInfo().filter((kind) => kinds.includes(kind)).length;
}
