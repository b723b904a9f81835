import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { waitFor } from "../../test/support/wait-for.ts";
import { findMarkedProcesses, loadProcessTree } from "./process-tree.ts";

it("a tree holds what a process started, with arguments and memory, and no zombie", async () => {
  const child = spawn("sh", ["-c", "sleep 61 & sleep 62; true"], { stdio: "ignore", detached: true });
  const pid = child.pid as number;
  const tree = await waitFor(async () => {
    const found = await loadProcessTree(pid);
    const sleeps = found.filter(({ command }) => command.startsWith("sleep 6"));
    return found.length === 3 && sleeps.length === 2 ? found : null;
  });
  expect(tree[0]).toMatchObject({ pid, command: expect.stringMatching(/^sh -c sleep 61/) });
  expect(tree.map(({ command }) => command)).toEqual(expect.arrayContaining(["sleep 61", "sleep 62"]));
  for (const { bytes } of tree) expect(bytes).toBeGreaterThan(100_000);
  process.kill(-pid, "SIGKILL");
  await waitFor(async () => (await loadProcessTree(pid)).length === 0);
});

it.runIf(process.platform === "linux")("a mark finds a process that left its parent", async () => {
  const mark = `SORTIE_TEST_MARK=${process.pid}-${Date.now()}`;
  const [name, value] = mark.split("=") as [string, string];
  const script = "setsid sleep 63 & exit 0";
  spawn("sh", ["-c", script], { stdio: "ignore", env: { ...process.env, [name]: value } });
  const [left] = await waitFor(async () => {
    const found = await findMarkedProcesses(mark);
    return found.length === 1 && found[0]?.command === "sleep 63" ? found : null;
  });
  expect(await findMarkedProcesses(`${mark}0`)).toEqual([]);
  process.kill(left?.pid as number, "SIGKILL");
  await waitFor(async () => (await findMarkedProcesses(mark)).length === 0);
});
