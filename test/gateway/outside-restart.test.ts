import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { beginAttempt, listAttempts } from "../../src/gateway/records/attempts.ts";
import { listCases } from "../../src/gateway/records/cases.ts";
import { writeSetting } from "../../src/gateway/records/settings.ts";
import { insertSimulatorKey } from "../../src/gateway/records/simulator-keys.ts";
import { type ConfigValues, logIn, useChallenge, waitForEnd } from "../support/challenge.ts";
import { dialRaw } from "../support/raw-agent.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const challenge = useChallenge();
const UNSCORED = "unscored: no score came before the gateway ended";

/** A built gateway, to be killed, with a job whose cases are played outside by an agent that dials again by itself. */
async function startKillable(cases: number, more: ConfigValues = {}) {
  const boards = {
    kitchen: { simulator: "outside", payload: "opaque", tasks: { drawer: { cases, seed: 1 } } },
  };
  const values = { boards, recordings: "off", ...more };
  let gateway = await challenge.start(values);
  await challenge.addUser();
  const ann = await logIn(gateway.api);
  const records = challenge.openRecords();
  const { key } = insertSimulatorKey(records, "kitchen", new Date());
  const job = await ann.submit("kitchen");
  const dialAgent = (agentId?: string) =>
    dialRaw({ tunnelUrl: job.tunnel_endpoint }, { uuid: job.uuid, token: job.job_token }, { agentId });
  const agent = await dialAgent();
  agent.serve(() => Buffer.from("move"));
  const url = `${gateway.api.replace("http", "ws")}/api/simulator/policy/corobot`;
  const dial = (caseId: number) => dialSimulator(`${url}?case=${caseId}`, { key });
  const score = (caseId: number, value: number) =>
    fetch(`${gateway.api}/api/simulator/case/${caseId}/score`, {
      method: "POST",
      headers: { Authorization: `Api-Key ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ score: value }),
    }).then(({ status }) => status);
  return {
    ...{ ann, job, records, agent, dial, score },
    async restart(goneMs = 0) {
      gateway.kill("SIGKILL");
      await gateway.exitCode;
      await agent.closed;
      writeSetting(records, "alive_at", new Date(Date.now() - goneMs).toISOString());
      gateway = await challenge.start(values);
    },
    returnAgent: async () => {
      const back = await dialAgent(agent.agentId);
      back.serve(() => Buffer.from("move"));
      return back;
    },
    /** Played so far by a simulator, which has had an action. */
    begin: async (caseId: number) => {
      const simulator = await dial(caseId);
      await simulator.ask(Buffer.from("look"));
      return simulator;
    },
    listStates: () => listCases(records, job.id).map(({ state }) => state),
    waitForLeave: () =>
      waitFor(() => listAttempts(records, job.id).some(({ hasLeft }) => hasLeft), { what: "a good-bye" }),
  };
}

describe("a gateway that was killed", () => {
  it.each([0, 86_400_000])(
    "begins no case again whose simulator had said good-bye %i ms ago, and still takes its score",
    async (goneMs) => {
      const { ann, job, records, begin, waitForLeave, restart, score } = await startKillable(1);
      (await begin(1)).webSocket.close(1000);
      await waitForLeave();
      await restart(goneMs);
      expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: null });
      expect(listCases(records, job.id)).toMatchObject([
        { state: "done", score: null, steps: 1, attempts: 1 },
      ]);
      expect(listAttempts(records, job.id)).toMatchObject([{ failureReason: 0, detail: UNSCORED }]);
      expect([await score(1, 0.7), await score(1, 0.7), await score(1, 0.8)]).toEqual([200, 200, 409]);
      expect(await ann.findJob(job.id)).toMatchObject({ status: 2, score: 0.7 });
    },
  );

  it("goes on with what an agent plays that such a good-bye had freed", async () => {
    const { ann, job, begin, waitForLeave, restart, returnAgent, score, listStates } = await startKillable(2);
    (await begin(1)).webSocket.close(1000);
    await waitForLeave();
    await begin(2);
    await restart();
    expect(listStates()).toEqual(["done", "playing"]);
    await returnAgent();
    const second = await begin(2);
    expect([await score(2, 1), await score(1, 0)]).toEqual([200, 200]);
    second.webSocket.close(1000);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 0.5 });
  });

  it("goes on with the newest session of an agent alone", async () => {
    const { ann, job, records, agent, begin, restart, returnAgent, score, listStates } =
      await startKillable(2);
    await begin(1);
    // As if the agent had ended that session itself, and its simulator had not heard of it.
    const [, second] = listCases(records, job.id);
    const next = { caseId: second?.id ?? 0, jobId: job.id, sessionId: randomUUID(), agentId: agent.agentId };
    beginAttempt(records, next, new Date());
    await restart();
    expect(listStates()).toEqual(["waiting", "playing"]);
    const back = await returnAgent();
    for (const caseId of [2, 1]) {
      const simulator = await begin(caseId);
      expect(await score(caseId, 1)).toBe(200);
      simulator.webSocket.close(1000);
    }
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
    expect(await back.waitForControl("resume")).toMatchObject({ session_id: next.sessionId, replies: 0 });
    expect(listAttempts(records, job.id).map(({ number, caseId }) => [caseId, number])).toEqual([
      [1, 2],
      [2, 1],
      [1, 1],
    ]);
  });

  it("takes the score of a case that waits for its simulator, which ends it", async () => {
    const { ann, job, records, begin, restart, score } = await startKillable(1);
    await begin(1);
    await restart();
    expect(await score(1, 0.6)).toBe(200);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 0.6 });
    expect(listCases(records, job.id)).toMatchObject([{ state: "done", score: 0.6, steps: 1, attempts: 1 }]);
    expect(await score(1, 0.6)).toBe(200);
  });

  it("then gives the agent another case", async () => {
    const { ann, job, begin, restart, returnAgent, score } = await startKillable(2);
    await begin(1);
    await restart();
    expect(await score(1, 1)).toBe(200);
    const back = await returnAgent();
    await back.waitForControl("session_close");
    const second = await begin(2);
    expect(await score(2, 1)).toBe(200);
    second.webSocket.close(1000);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
  });

  it("takes no score of a case that had no action yet", async () => {
    const { dial, restart, agent, score, listStates } = await startKillable(1);
    const simulator = await dial(1);
    await agent.waitForControl("session_open");
    await restart();
    expect(await score(1, 1)).toBe(409);
    // An agent that was told of a session is the owner of its case.
    expect(listStates()).toEqual(["playing"]);
    await simulator.closed;
  });

  it("lets a simulator that comes back tell its score and leave without asking again", async () => {
    const { ann, job, records, begin, dial, restart, returnAgent, score } = await startKillable(1);
    await begin(1);
    await restart();
    await returnAgent();
    const back = await dial(1);
    await waitFor(async () => (await score(1, 0.9)) === 200, { what: "a score" });
    back.webSocket.close(1000);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 0.9 });
    expect(listCases(records, job.id)).toMatchObject([{ state: "done", score: 0.9, steps: 1, attempts: 1 }]);
  });
});
