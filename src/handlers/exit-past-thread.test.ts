import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";

const folder = useTempFolder();
const door = new URL("../../dist/agent.js", import.meta.url).href;

/** Stops its handler at a TERM and exits with the code that it is given. */
const AGENT = `
import { startHandler } from ${JSON.stringify(door)};
const handler = await startHandler({ spec: "policy.mjs", cwd: process.cwd(), env: process.env });
process.once("SIGTERM", async () => {
  await handler.stop();
  process.exit(Number(process.argv[2]));
});
handler.handle(Buffer.from("s"), Buffer.from("?")).catch(() => undefined);
`;

/** The read waits in the system, for a writer that never comes. */
const HANDLER = `
import { readFileSync, writeSync } from "node:fs";
export const handle = () => {
  writeSync(1, "stuck");
  return readFileSync("pipe");
};
`;

it.each([
  ["143", "SIGTERM"],
  ["0", "SIGKILL"],
])("a process whose handler is stuck in the system ends all the same: exit code %s", async (code, signal) => {
  execFileSync("mkfifo", [join(folder(), "pipe")]);
  writeFileSync(join(folder(), "policy.mjs"), HANDLER);
  writeFileSync(join(folder(), "agent.mjs"), AGENT);
  const agent = spawn(process.execPath, ["agent.mjs", code], {
    cwd: folder(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  agent.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const ended = new Promise((resolve) => agent.once("exit", (_, by) => resolve(by)));
  await waitFor(() => said.includes("stuck"));
  agent.kill("SIGTERM");
  const late = setTimeout(() => agent.kill("SIGQUIT"), 8_000);
  expect(await ended).toBe(signal);
  clearTimeout(late);
});
