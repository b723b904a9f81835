import { expect, test } from "vitest";
import { keys, type PolicyStage, startPolicyStage } from "../support/policy-stage.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const kitchen = { key: keys["kitchen"] };

/** Dials and tells the refusal: its status and its sentence. */
async function refuse(
  stage: PolicyStage,
  query: string,
  options: Parameters<typeof dialSimulator>[1] = {},
): Promise<[number, string]> {
  const { code, body = "{}" } = await (await dialSimulator(stage.makeUrl("openpi", query), options)).closed;
  const { status, error } = JSON.parse(body);
  expect(status).toBe("error");
  return [code, error];
}

test("without a key, or with a wrong one, nobody is let in", async () => {
  const stage = await startPolicyStage();
  expect(await refuse(stage, "")).toEqual([401, "a simulator needs `Authorization: Api-Key KEY`"]);
  expect(await refuse(stage, "", { key: "guessed" })).toEqual([401, "the key opens no board"]);
  const bearer = { headers: { Authorization: `Bearer ${keys["kitchen"]}` } };
  expect(await refuse(stage, "", bearer)).toEqual([401, "the key opens no board"]);
  expect((await refuse(stage, "?board=garage", kitchen))[0]).toBe(401);
  expect(stage.seats.size).toBe(0);
  expect(stage.events.map(({ type }) => type)).toEqual(Array(4).fill("simulator_refused"));
});

test("a key whose board is played from outside no more finds nothing", async () => {
  const stage = await startPolicyStage({ boards: ["garage"] });
  expect((await refuse(stage, "", kitchen))[0]).toBe(404);
});

test("a case has to be there, of the key's board, and waiting", async () => {
  const stage = await startPolicyStage();
  const other = stage.addCase(undefined, { board: "garage" });
  const played = stage.addCase();
  expect(await refuse(stage, "?case=77", kitchen)).toEqual([404, "there is no case 77 of this board"]);
  expect((await refuse(stage, `?case=${other.spec.id}`, kitchen))[0]).toBe(404);
  expect((await refuse(stage, "?case=two", kitchen))[0]).toBe(400);
  const simulator = await dialSimulator(stage.makeUrl("openpi", "?case=2"), kitchen);
  await simulator.nextFrame();
  expect(await refuse(stage, "?case=2", kitchen)).toEqual([409, "case 2 is being played"]);
  simulator.webSocket.close();
  await played.waitForEnd();
  expect(await refuse(stage, "?case=2", kitchen)).toEqual([409, "case 2 is over"]);
});

test("a pinned case is played by nobody else's connection, and awaited by one alone", async () => {
  let state: "waiting" | "over" = "waiting";
  const stage = await startPolicyStage({
    describeCase: () => ({ board: "kitchen", state }),
    timers: { pingMs: 20 },
  });
  const simulator = await dialSimulator(stage.makeUrl("openpi", "?case=2"), kitchen);
  await waitFor(() => stage.seats.size === 1);
  stage.addCase();
  expect(stage.seats.size).toBe(1);
  expect(await refuse(stage, "?case=2", kitchen)).toEqual([409, "another simulator waits for case 2"]);
  state = "over";
  expect((await simulator.closed).code).toBe(1011);
  expect(simulator.texts).toEqual(["case 2 is over"]);
  expect(stage.seats.size).toBe(0);
});

test("where simulators are open, those of this machine need no key", async () => {
  const stage = await startPolicyStage({ openSimulators: true });
  expect(await refuse(stage, "")).toEqual([400, "the query has to name a board: kitchen, garage"]);
  expect((await refuse(stage, "?board=attic"))[0]).toBe(404);
  expect((await refuse(stage, "?case=5"))[0]).toBe(404);
  expect((await refuse(stage, "?board=kitchen", { key: "guessed" }))[0]).toBe(401);
  stage.addCase(undefined, { board: "garage" });
  const pinned = await dialSimulator(stage.makeUrl("openpi", "?case=1"));
  await pinned.nextFrame();
  stage.addCase(undefined, { board: "kitchen" });
  const named = await dialSimulator(stage.makeUrl("openpi", "?board=kitchen"));
  await named.nextFrame();
});

test("the only board from outside needs no name", async () => {
  const stage = await startPolicyStage({ openSimulators: true, boards: ["kitchen"] });
  stage.addCase();
  await (await dialSimulator(stage.makeUrl("openpi"))).nextFrame();
});

test("what came through a proxy or out of a browser is not of this machine", async () => {
  const stage = await startPolicyStage({ openSimulators: true, boards: ["kitchen"] });
  for (const name of ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Via", "Origin"]) {
    const options = { headers: { [name]: "127.0.0.1" } };
    expect((await refuse(stage, "", options))[0], name).toBe(401);
  }
});

test("a door that is closed lets nobody in and sends everybody away", async () => {
  const stage = await startPolicyStage();
  const simulator = await dialSimulator(stage.makeUrl("openpi"), kitchen);
  await waitFor(() => stage.seats.size === 1);
  await stage.door.close();
  expect(await simulator.closed).toEqual({ code: 1001, reason: "the gateway is stopping" });
  expect(simulator.texts).toEqual(["the gateway is stopping"]);
  expect(stage.seats.size).toBe(0);
  expect((await refuse(stage, "", kitchen))[0]).toBe(503);
});
