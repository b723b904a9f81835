import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SortieError } from "../../src/base/error.ts";
import { CHECKOUT } from "../support/contestant.ts";
import { keys, startPolicyStage } from "../support/policy-stage.ts";
import { findPythonLack, runPythonSimulator } from "../support/python-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const readAction = (name: string) => readFileSync(join(CHECKOUT, "fixtures/payload/recorded", name));
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const lack = findPythonLack();
const key = keys["kitchen"] as string;

describe.skipIf(lack !== undefined)(`simulators in Python${lack === undefined ? "" : ` (${lack})`}`, () => {
  it("serves the client of openpi, which waits for its metadata and unpacks numpy arrays", async () => {
    const stage = await startPolicyStage();
    const action = readAction("openpi-action.msgpack");
    const running = runPythonSimulator("openpi_simulator.py", [stage.makeUrl("openpi"), "--key", key]);
    await waitFor(() => stage.seats.size === 1, { timeoutMs: 30_000, what: "the seat" });
    const played = stage.addCase(() => action);
    const { exitCode, said, stderr } = await running;
    expect(exitCode, stderr).toBe(0);
    expect(said[0]).toEqual({
      metadata: {
        ...{
          case_id: 1,
          session_id: "session-1",
          board: "kitchen",
          payload: "g2",
          task: "pick",
          index: 0,
          seed: 41,
        },
      },
    });
    const sent = said.slice(1).map((line) => line["sent"]);
    expect(sent).toEqual(played.asked.map(hash));
    expect(said.slice(1).map((line) => line["got"])).toEqual(Array(3).fill(hash(action)));
    expect(said.at(-1)).toMatchObject({
      action: { result: { left_arm: { values: { shape: [2, 7], dtype: "float32" } } } },
    });
    expect(stage.door.score(1, { score: 1 })).toBe("taken");
    expect(await played.waitForEnd()).toMatchObject({ result: { score: 1, steps: 3 } });
  });

  it("shows the client of openpi in one sentence why it gets no action", async () => {
    const stage = await startPolicyStage();
    const lost = new SortieError("session_lost", { session: "s", agent: "a", seconds: 30 });
    stage.addCase(() => Promise.reject(lost));
    const args = [stage.makeUrl("openpi", "?case=1"), "--key", key];
    const { exitCode, said } = await runPythonSimulator("openpi_simulator.py", args);
    expect(exitCode).toBe(1);
    expect(said[1]).toEqual({ error: `Error in inference server:\n${lost.message}` });
  });

  it("serves a simulator as the platform's, without metadata", async () => {
    const stage = await startPolicyStage({ openSimulators: true, boards: ["kitchen"] });
    const action = readAction("g2-action-30x21.msgpack");
    const played = stage.addCase(() => action);
    const args = [stage.makeUrl("corobot"), "--steps", "4"];
    const { exitCode, said, stderr } = await runPythonSimulator("corobot_simulator.py", args);
    expect(exitCode, stderr).toBe(0);
    expect(said.map((line) => line["sent"])).toEqual(played.asked.map(hash));
    expect(said.map((line) => line["got"])).toEqual(Array(4).fill(hash(action)));
    stage.door.score(1, { score: 0.5 });
    expect(await played.waitForEnd()).toMatchObject({ result: { score: 0.5, steps: 4 } });
  });

  it("lets it go on with its session after a cut, and turns it away until it may", async () => {
    const stage = await startPolicyStage();
    const action = readAction("g2-action-30x21.msgpack");
    const played = stage.addCase(() => action);
    const args = [stage.makeUrl("corobot", "?case=1"), "--key", key, "--steps", "4"];
    args.push("--cut-after", "1", "--longest-pause", "0.1");
    const { exitCode, said, stderr } = await runPythonSimulator("corobot_simulator.py", args);
    expect(exitCode, stderr).toBe(0);
    const steps = said.filter((line) => "step" in line);
    expect(steps.map((line) => line["sent"])).toEqual(played.asked.map(hash));
    expect(played.attempts).toBe(1);
    expect(stage.events.filter((event) => event.type === "simulator_connected").at(-1)).toMatchObject({
      resumed: true,
    });
    stage.door.score(1, { score: 0 });
    expect(await played.waitForEnd()).toMatchObject({ result: { score: 0, steps: 4 } });
  });

  it("closes the connection of a simulator as the platform's with 1011 when the agent is lost", async () => {
    const stage = await startPolicyStage();
    const lost = new SortieError("session_lost", { session: "s", agent: "a", seconds: 30 });
    stage.addCase(() => Promise.reject(lost));
    const args = [stage.makeUrl("corobot"), "--key", key];
    const { exitCode, said } = await runPythonSimulator("corobot_simulator.py", args);
    expect(exitCode).toBe(1);
    expect(said).toEqual([{ closed: 1011, reason: lost.message }]);
  });
});
