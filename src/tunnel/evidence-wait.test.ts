import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { waitFor } from "../../test/support/wait-for.ts";
import { systemClock } from "../base/clock.ts";
import { EvidenceWait } from "./evidence-wait.ts";

function start(ms: number) {
  const wait = new EvidenceWait(systemClock);
  const line = { bytesRead: 0 };
  const seen = { wait, line, isOver: false };
  wait.start(ms, line, () => {
    seen.isOver = true;
  });
  return seen;
}

test("after silence it is over, unless it was stopped", async () => {
  const one = start(5);
  const other = start(5);
  other.wait.stop();
  await waitFor(() => one.isOver, { intervalMs: 1 });
  expect(other.isOver).toBe(false);
});

test("time in which the process stood still does not count", async () => {
  const seen = start(200);
  await nextTurn();
  const before = performance.now();
  while (performance.now() - before < 400); // stands still
  for (let turn = 0; turn < 4; turn += 1) await nextTurn();
  expect(seen.isOver).toBe(false);
  await waitFor(() => seen.isOver);
  expect(performance.now() - before).toBeGreaterThan(590);
});

test("while something comes it goes on", async () => {
  const seen = start(40);
  for (let count = 0; count < 8; count += 1) {
    await sleep(10);
    seen.line.bytesRead += 1;
  }
  expect(seen.isOver).toBe(false);
  await waitFor(() => seen.isOver);
});
