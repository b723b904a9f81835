import { expect, it } from "vitest";
import { dialRaw } from "../../test/support/raw-agent.ts";
import type { Simulator } from "./simulator.ts";
import { startGateway } from "./start-gateway.ts";

const countTo =
  (steps: number): Simulator =>
  async (policy) => {
    for (let step = 0; step < steps; step += 1) await policy.infer(Buffer.from(`observation ${step}`));
    return { score: 1, steps };
  };

it("plays a case over an agent, and drains it", async () => {
  const gateway = await startGateway();
  const job = gateway.addJob({
    owner: "ann",
    parallelism: 1,
    cases: [{ task: "t", index: 0, seed: 1 }],
    simulator: countTo(3),
  });
  const agent = await dialRaw(gateway, job);
  agent.serve((payload) => payload);
  expect(await job.ended).toEqual({
    cases: [
      { agentId: agent.agentId, spec: { task: "t", index: 0, seed: 1 }, result: { score: 1, steps: 3 } },
    ],
  });
  expect(agent.controls.map(({ type }) => type)).toEqual([
    "warmup",
    "session_open",
    "session_close",
    "drain",
  ]);
  expect(await agent.closed).toMatchObject({ code: 1000 });
  await gateway.stop(100);
});
