import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Seat } from "../src/gateway/seat.ts";
import { openWorkerSeats } from "../src/gateway/simulators/worker-seats.ts";
import { sid, useHandlers } from "./support/handlers.ts";
import { useTempFolder } from "./support/temp-folder.ts";

const folder = useTempFolder();
const handlers = useHandlers(folder);
const board = { name: "arms", payload: "g2", simulator: "reach", steps: 10, tasks: [] } as const;

/** The mean score of the handler over some cases, played in a worker thread as a hosted gateway plays them. */
async function score(name: string, seeds: readonly number[]): Promise<number> {
  const handler = await handlers.start(join(import.meta.dirname, "../examples/reach", name));
  const { seats, close } = openWorkerSeats([board], 1, (fault) => expect.fail(fault.message));
  onTestFinished(close);
  const policy = { sessionId: "s", infer: (observation: Uint8Array) => handler.handle(sid, observation) };
  let sum = 0;
  for (const seed of seeds) {
    const spec = { board: "arms", task: "reach", index: 0, seed };
    const result = await (seats[0] as Seat).play(policy, spec, new AbortController().signal);
    sum += result.score as number;
  }
  return sum / seeds.length;
}

test.each(["solve.py:handle", "solve.mjs"])("the sample handler %s reaches the targets", async (name) => {
  expect(await score(name, [1, 2, 3])).toBeGreaterThanOrEqual(0.95);
});

test("moving at random does not", async () => {
  expect(await score("random_moves.py:handle", [1, 2, 3])).toBeLessThan(0.5);
});
