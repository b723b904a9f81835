import { expect, test } from "vitest";
import { keys, startPolicyStage } from "../support/policy-stage.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const kitchen = { key: keys["kitchen"] };
const look = Buffer.from("look");

test("while the gateway leaves, a simulator comes back to the case that it had begun, and no new one is let in", async () => {
  const stage = await startPolicyStage();
  const played = stage.addCase();
  const dial = (query = "") => dialSimulator(stage.makeUrl("corobot", query), kitchen);
  const first = await dial("?case=1");
  await first.ask(look);
  stage.door.leave();
  first.webSocket.terminate();
  await waitFor(() => stage.events.some(({ type }) => type === "simulator_gone"));

  stage.addCase();
  for (const query of ["", "?case=2"]) {
    const { code, body } = await (await dial(query)).closed;
    expect([code, body]).toEqual([503, '{"status":"error","error":"the gateway is stopping"}']);
  }
  const back = await dial("?case=1");
  expect(await back.ask(look)).toEqual(look);
  expect(stage.door.score(1, { score: 1 })).toBe("taken");
  back.webSocket.close();
  expect(await played.waitForEnd()).toMatchObject({ result: { score: 1 } });

  await stage.door.close();
  expect((await (await dial("?case=1")).closed).code).toBe(503);
});
