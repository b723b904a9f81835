import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { findOwnProcesses } from "../../test/support/own-processes.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { systemClock } from "../base/clock.ts";
import { killMarked, killTrees } from "./kill-processes.ts";

/** Two processes that are deaf to TERM: a shell, and a child of it that has left its group. */
const SCRIPT = "trap '' TERM; setsid sleep 600; true";

const startPair = (mark: string) =>
  spawn("sh", ["-c", SCRIPT], { stdio: "ignore", env: { ...process.env, MARK: mark } });
const listCommands = () => findOwnProcesses().map(({ command }) => command);
const waitForPairs = (count: number) =>
  waitFor(() => listCommands().filter((command) => command === "sleep 600").length === count);

it.runIf(process.platform === "linux")("what has a mark is gone, and nothing else", async () => {
  const mark = randomUUID();
  startPair(mark);
  const other = startPair(`${mark}0`);
  await waitForPairs(2);
  await killMarked(`MARK=${mark}`, systemClock);
  expect(listCommands().sort()).toEqual([`sh -c ${SCRIPT}`, "sleep 600"]);
  await killTrees([other.pid as number], systemClock);
  expect(listCommands()).toEqual([]);
});

it("a tree is gone, and one that has ended is no hindrance", async () => {
  const pid = startPair("").pid as number;
  await waitForPairs(1);
  await killTrees([pid, pid], systemClock);
  expect(listCommands()).toEqual([]);
  await killTrees([pid], systemClock);
  await killTrees([], systemClock);
});
