import { describe, expect, it } from "vitest";
import { listCases } from "../../src/gateway/records/cases.ts";
import { insertSimulatorKey } from "../../src/gateway/records/simulator-keys.ts";
import { readRecorded } from "../support/actions.ts";
import { makePlainHandler, patientTimers, useAgents } from "../support/agents.ts";
import { type Contestant, logIn, useChallenge, waitForEnd } from "../support/challenge.ts";
import { findPythonLack, runPythonSimulator } from "../support/python-simulator.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const challenge = useChallenge();
const startAgent = useAgents();
const lack = findPythonLack();

const values = {
  boards: {
    kitchen: { simulator: "outside", payload: "openpi", tasks: { drawer: { cases: 2, seed: 41 } } },
  },
  policy: { openpi: "127.0.0.1:0", corobot: "127.0.0.1:0" },
  simulators: { score_wait: "1s" },
};

type Submitted = Awaited<ReturnType<Contestant["submit"]>>;

async function startWith(more: Parameters<typeof challenge.host>[0] = {}) {
  const gateway = await challenge.host({ ...values, ...more });
  await challenge.addUser();
  const ann = await logIn(gateway.apiUrl);
  const records = challenge.openRecords();
  const { key } = insertSimulatorKey(records, "kitchen", new Date());
  const job: Submitted = await ann.submit("kitchen");
  const score = (caseId: number, body: object, by = key) =>
    fetch(`${gateway.apiUrl}/api/simulator/case/${caseId}/score`, {
      method: "POST",
      headers: { Authorization: `Api-Key ${by}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }).then(({ status }) => status);
  return { gateway, ann, records, key, job, score };
}

/** Dials until it is let in. */
function dialOpen(url: string, key: string) {
  return waitFor(
    async () => {
      const simulator = await dialSimulator(url, { key });
      return simulator.webSocket.readyState === simulator.webSocket.OPEN ? simulator : undefined;
    },
    { what: "a simulator that is let in" },
  );
}

function serve(job: Submitted, answer: (observation: Uint8Array) => Uint8Array) {
  return startAgent({
    ...{ gatewayUrl: job.tunnel_endpoint, jobUuid: job.uuid, token: job.job_token, validate: false },
    handler: makePlainHandler({ handle: async (_, observation) => answer(observation) }),
  } as Parameters<typeof startAgent>[0]);
}

describe.skipIf(lack !== undefined)(`simulators in Python${lack === undefined ? "" : ` (${lack})`}`, () => {
  it("get actions from an agent behind its tunnel, and their scores are on the leaderboard", async () => {
    const { gateway, ann, key, job, score } = await startWith();
    const [openpiAction, action] = [readRecorded("openpi-action"), readRecorded("g2-action-30x21")];
    serve(job, (observation) => (Buffer.from(observation).includes("method") ? action : openpiAction));
    const { openpi, corobot } = gateway.policyUrls;
    const first = await runPythonSimulator("openpi_simulator.py", [openpi ?? "", "--key", key]);
    expect(first.exitCode, first.stderr).toBe(0);
    const { metadata } = first.said[0] as { metadata: { case_id: number; board: string; seed: number } };
    expect(metadata).toMatchObject({ board: "kitchen", task: "drawer" });
    expect(await score(metadata.case_id, { score: 0.5, steps: 3 })).toBe(200);
    const second = await runPythonSimulator("corobot_simulator.py", [corobot ?? "", "--key", key]);
    expect(second.exitCode, second.stderr).toBe(0);
    expect(second.said).toHaveLength(3);
    expect(await score(3 - metadata.case_id, { score: 1 })).toBe(200);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 0.75 });
    const { body } = await ann.get("/leaderboard?board=kitchen");
    expect(body.items).toMatchObject([{ rank: 1, user_name: "ann", score: 0.75 }]);
  });
});

describe("a simulator from outside", () => {
  it("that tells no score leaves its case unscored, which is not 0; a late score counts, a second one does not", async () => {
    const { gateway, ann, records, key, job, score } = await startWith();
    serve(job, () => Buffer.from("move"));
    for (const _ of [1, 2]) {
      const simulator = await dialSimulator(gateway.policyUrls.corobot ?? "", { key });
      expect(await simulator.ask(Buffer.from("look"))).toEqual(Buffer.from("move"));
      simulator.webSocket.close();
    }
    const ended = await waitForEnd(ann, job.id);
    expect(ended).toMatchObject({ status: 2, score: null });
    expect((await ann.get(`/job/${job.id}/result`)).body.tasks.drawer.score).toEqual([null, null]);
    expect((await ann.get("/best-score?board=kitchen")).body.rank).toBe(0);
    expect([await score(1, { score: 0.4 }), await score(1, { score: 0.4 })]).toEqual([200, 200]);
    expect(await score(1, { score: 0.9 })).toBe(409);
    expect(listCases(records, job.id).map((one) => one.score)).toEqual([0.4, null]);
    // One case that went well is no score of a job.
    expect(await ann.findJob(job.id)).toMatchObject({ score: null });
    expect(await score(2, { score: 0.8 })).toBe(200);
    expect(await ann.findJob(job.id)).toMatchObject({ score: 0.6000000000000001 });
  });

  it("that dies before its first action gives its case to the next one, and costs no attempt", async () => {
    const { gateway, ann, key, job, score } = await startWith({ case_attempts: 1 });
    serve(job, () => Buffer.from("move"));
    for (let tries = 0; tries < 3; tries += 1) {
      const simulator = await dialSimulator(gateway.policyUrls.openpi ?? "", { key });
      await simulator.nextFrame();
      simulator.webSocket.terminate();
      await waitFor(() => gateway.find("case_ended").length === tries + 1, { what: "a case that ended" });
    }
    for (const caseId of [1, 2]) {
      const url = `${gateway.policyUrls.corobot}?case=${caseId}`;
      const simulator = await dialOpen(url, key);
      await simulator.ask(Buffer.from("look"));
      expect(await score(caseId, { score: 1 })).toBe(200);
      simulator.webSocket.close();
    }
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
  });

  it("that hangs is broken off, and its case is played by another one, at no cost to the contestant", async () => {
    const { gateway, ann, key, job, score } = await startWith({
      simulators: { score_wait: "1s", case_timeout: "1s" },
      case_attempts: 1,
    });
    serve(job, () => Buffer.from("move"));
    const url = (caseId: number) => `${gateway.policyUrls.corobot}?case=${caseId}`;
    const hanging = await dialSimulator(url(1), { key });
    await hanging.ask(Buffer.from("look"));
    expect(await hanging.closed).toMatchObject({
      code: 1011,
      reason: expect.stringContaining("took longer"),
    });
    expect(gateway.find("case_ended")).toMatchObject([{ failure: "simulator_error", retried: true }]);
    for (const caseId of [1, 2]) {
      const simulator = await dialOpen(url(caseId), key);
      await simulator.ask(Buffer.from("look"));
      expect(await score(caseId, { score: 1 })).toBe(200);
      simulator.webSocket.close();
    }
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
  });
});

describe("after a restart of the gateway", () => {
  it("goes on with the simulator that names its case, over the same session of the agent", async () => {
    const fixed = { ...values, policy: {} };
    let gateway = await challenge.start(fixed);
    await challenge.addUser();
    const ann = await logIn(gateway.api);
    const { key } = insertSimulatorKey(challenge.openRecords(), "kitchen", new Date());
    const job = await ann.submit("kitchen");
    const handler = makePlainHandler({ handle: async () => Buffer.from("move") });
    startAgent({
      ...{
        gatewayUrl: job.tunnel_endpoint,
        jobUuid: job.uuid,
        token: job.job_token,
        handler,
        validate: false,
      },
      timers: patientTimers,
    });
    const url = () => `${gateway.api.replace("http", "ws")}/api/simulator/policy/corobot?case=1`;
    const ask = async (text: string) => {
      const simulator = await dialOpen(url(), key);
      await simulator.ask(Buffer.from(text));
      return simulator;
    };
    await ask("one");
    gateway.kill("SIGKILL");
    await gateway.exitCode;
    gateway = await challenge.start(fixed);
    const back = await ask("two");
    back.webSocket.close();
    await waitFor(() => handler.calls.some((call) => call.startsWith("close")), {
      what: "the end of the case",
    });
    expect(handler.calls.filter((call) => call.startsWith("open"))).toHaveLength(1);
    expect(handler.calls.filter((call) => call.startsWith("handle"))).toHaveLength(2);
  });
});
