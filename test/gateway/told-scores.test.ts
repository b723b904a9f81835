import { expect, it } from "vitest";
import { listAttempts } from "../../src/gateway/records/attempts.ts";
import { listCases } from "../../src/gateway/records/cases.ts";
import { logIn, useChallenge, waitForEnd } from "../support/challenge.ts";
import { dialRaw } from "../support/raw-agent.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const challenge = useChallenge();

/** A job whose cases are played outside; the first is being played, and has had an action. */
async function startInMidCase(cases: number) {
  const boards = {
    kitchen: { simulator: "outside", payload: "opaque", tasks: { drawer: { cases, seed: 1 } } },
  };
  const values = { boards, recordings: "off", simulators: { score_wait: "1s" } };
  const start = () => challenge.host(values, { openSimulators: true });
  const gateway = await start();
  await challenge.addUser();
  const ann = await logIn(gateway.apiUrl);
  const job = await ann.submit("kitchen");
  const agent = await dialRaw({ tunnelUrl: job.tunnel_endpoint }, { uuid: job.uuid, token: job.job_token });
  agent.serve(() => Buffer.from("move"));
  const play = async () => {
    const simulator = await dialSimulator(
      `${gateway.apiUrl.replace("http", "ws")}/api/simulator/policy/corobot`,
    );
    await simulator.ask(Buffer.from("look"));
    return simulator;
  };
  const records = challenge.openRecords();
  /** The status; 0: nobody answered. */
  const score = (caseId: number, value: number) =>
    fetch(`${gateway.apiUrl}/api/simulator/case/${caseId}/score`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ score: value }),
    }).then(
      ({ status }) => status,
      () => 0,
    );
  return {
    ...{ gateway, start, ann, job, agent, play, score, simulator: await play() },
    records,
    /** As it is on record: a pooled connection may be one of the gateway before. */
    waitForScore: () =>
      waitFor(() => records.find("SELECT 1 FROM jobs WHERE status = 2 AND score = 0.7"), { what: "a score" }),
  };
}

it("a score that was taken counts, though the gateway ended before the simulator left", async () => {
  const { gateway, start, job, score, records, waitForScore } = await startInMidCase(1);
  expect(await score(1, 0.7)).toBe(200);
  await gateway.stop(0);
  expect(listCases(records, job.id)).toMatchObject([{ state: "playing", score: null }]);
  await start();
  await waitForScore();
  expect(listAttempts(records, job.id)).toMatchObject([{ failureReason: 0 }]);
  expect(listCases(records, job.id)).toMatchObject([{ state: "done", score: 0.7, steps: 1 }]);
});

it("a score that is told while the gateway leaves is taken and kept, or not taken", async () => {
  const { gateway, start, job, agent, score, records, waitForScore } = await startInMidCase(1);
  agent.webSocket.pause(); // an agent that answers no close is waited for
  const stopped = gateway.stop(0);
  const statuses: number[] = [];
  await waitFor(
    async () => {
      const status = await score(1, 0.7);
      if (status !== 0) statuses.push(status);
      return status === 0 || status === 503;
    },
    { what: "a gateway that takes no score", intervalMs: 1 },
  );
  agent.webSocket.terminate();
  await stopped;
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  await start();
  if (!statuses.includes(200)) {
    expect(listCases(records, job.id)).toMatchObject([{ state: "playing", score: null }]);
  } else {
    await waitForScore();
  }
});

it("the leaderboard has no score of a job until every one of its cases has one", async () => {
  const { ann, job, play, score, simulator } = await startInMidCase(2);
  expect(await score(1, 0.9)).toBe(200);
  simulator.webSocket.close();
  const second = await play();
  second.webSocket.terminate(); // it crashes in the middle of its case
  expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: null });
  expect((await ann.get(`/job/${job.id}/result`)).body.tasks.drawer.score).toEqual([0.9, null]);
  expect((await ann.get("/best-score?board=kitchen")).body.rank).toBe(0);
  expect((await ann.get("/leaderboard?board=kitchen")).body.items).toEqual([]);
  expect(await score(2, 0.1)).toBe(200);
  expect(await ann.findJob(job.id)).toMatchObject({ score: 0.5 });
  expect((await ann.get("/best-score?board=kitchen")).body).toMatchObject({ rank: 1, score: 0.5 });
});
