import { describe, expect, it } from "vitest";
import { makeEchoSimulator } from "../../src/gateway.ts";
import { makeExt, pack } from "../../src/payload/pack.ts";
import { makeRows, packAction, readRecorded } from "../support/actions.ts";
import { makePlainHandler, useAgents } from "../support/agents.ts";
import { startStage } from "../support/gateway-stage.ts";

const start = useAgents();

/** Serves one answer to one observation of real form, and gives how the case ended. */
async function playAction(action: Uint8Array, validate: boolean) {
  const stage = await startStage();
  const simulator = makeEchoSimulator({ steps: 1, frameBytes: 0 });
  const job = stage.addJob({ simulator });
  const handler = makePlainHandler({ handle: async () => action });
  const { agent } = start({
    gatewayUrl: stage.tunnelUrl,
    jobUuid: job.uuid,
    token: job.token,
    handler,
    validate,
    timers: { pongMs: 10_000, gatewayPingMs: 45_000 },
  });
  const { outcome, report } = await agent.ended;
  expect(outcome).toBe("drained");
  const [end] = (await job.ended).cases;
  return { end, report, sent: stage.find("reply")[0] };
}

const bad: Record<string, { path: string; bytes: Uint8Array }> = {
  "a packed numpy array": { path: "result.left_arm.values", bytes: readRecorded("msgpack-numpy-action") },
  "arms of six joints": {
    path: "result.left_arm.values[0]",
    bytes: packAction(({ result }) => Object.assign(result.left_arm, { values: makeRows(50, 6, () => 0) })),
  },
  "a number that is none": {
    path: "result.right_arm.values[3][2]",
    bytes: packAction(({ result }) => {
      (result.right_arm.values[3] as number[])[2] = Number.NaN;
    }),
  },
  "arms of unequal length": {
    path: "result.right_arm.values",
    bytes: packAction(({ result }) => result.right_arm.values.pop()),
  },
  "an ext value": {
    path: "result.left_effector",
    bytes: packAction(({ result }) =>
      Object.assign(result, { left_effector: makeExt(1, new Uint8Array(4)) }),
    ),
  },
  "an empty error": { path: "error", bytes: pack({ error: "" }) },
  "no steps at all": {
    path: "result.left_arm.values",
    bytes: packAction(({ result }) => {
      result.left_arm.values = [];
    }),
  },
};

describe("T26 actions that a simulator would fail by", () => {
  it.each(Object.entries(bad))("%s: stopped with its path, or let pass", async (_, { path, bytes }) => {
    const checked = await playAction(bytes, true);
    expect(checked.end?.failure).toBe("agent_error");
    expect(checked.end?.detail).toContain(path);
    expect(Object.values(checked.report.refusedReplies)).toEqual([1]);
    const passed = await playAction(bytes, false);
    expect(passed.sent?.payload.length).toBe(bytes.length);
    expect(passed.report.refusedReplies).toEqual({});
  });
});
