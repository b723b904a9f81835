import { expect, test } from "vitest";
import { keys, startPolicyStage } from "../support/policy-stage.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const kitchen = { key: keys["kitchen"] };
const look = Buffer.from("look");

/** A stage whose database can be made to fail, with all that it told of it. */
async function startFaultyStage() {
  const faults: unknown[] = [];
  const state = { isBroken: false };
  const fail = () => {
    if (state.isBroken) throw new TypeError("disk I/O error");
  };
  const stage = await startPolicyStage({
    timers: { pingMs: 100 },
    findBoard: (key) => {
      fail();
      return key === kitchen.key ? "kitchen" : undefined;
    },
    describeCase: () => {
      fail();
      return { board: "kitchen", state: "waiting" };
    },
    onFault: (fault) => faults.push(fault),
  });
  return { stage, faults, state };
}

test("while the database fails a dial is answered with 503, and let in afterwards", async () => {
  const { stage, faults, state } = await startFaultyStage();
  state.isBroken = true;
  const { code, body = "" } = await (await dialSimulator(stage.makeUrl("corobot"), kitchen)).closed;
  expect([code, JSON.parse(body)]).toEqual([
    503,
    { status: "error", error: "the gateway cannot look this up now: dial again later" },
  ]);
  expect(faults).toEqual([new TypeError("disk I/O error")]);
  expect(stage.events).toMatchObject([{ type: "simulator_refused", status: 503 }]);
  state.isBroken = false;
  stage.addCase();
  const simulator = await dialSimulator(stage.makeUrl("corobot"), kitchen);
  expect(await simulator.ask(look)).toEqual(look);
});

test("a look after simulators that fails is told, and the next ones come", async () => {
  const { stage, faults, state } = await startFaultyStage();
  const simulator = await dialSimulator(stage.makeUrl("corobot", "?case=1"), kitchen);
  await waitFor(() => stage.seats.size === 1);
  state.isBroken = true;
  await waitFor(() => faults.length > 2);
  expect(faults[0]).toEqual(new TypeError("disk I/O error"));
  state.isBroken = false;
  let pings = 0;
  simulator.webSocket.on("ping", () => (pings += 1));
  await waitFor(() => pings > 1);
  stage.addCase();
  expect(await simulator.ask(look)).toEqual(look);
});
