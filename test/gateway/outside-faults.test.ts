import { expect, it } from "vitest";
import { countFailures, listAttempts } from "../../src/gateway/records/attempts.ts";
import { insertSimulatorKey } from "../../src/gateway/records/simulator-keys.ts";
import { logIn, useChallenge } from "../support/challenge.ts";
import { dialRaw } from "../support/raw-agent.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const hosted = useChallenge();
const look = Buffer.from("look");
const boards = {
  kitchen: { simulator: "outside", payload: "opaque", tasks: { open: { cases: 1, seed: 1 } } },
};

/** A hosted challenge with a job whose agent waits for a simulator. */
async function startWithJob() {
  const challenge = await hosted.host({ boards, recordings: "off" });
  await hosted.addUser();
  const records = hosted.openRecords();
  const { key } = insertSimulatorKey(records, "kitchen", new Date());
  const job = await (await logIn(challenge.apiUrl)).submit("kitchen");
  const agent = await dialRaw(challenge, { uuid: job.uuid, token: job.job_token });
  agent.serve((payload) => payload);
  await waitFor(() => challenge.find("ready").length === 1);
  const url = `${challenge.apiUrl.replace("http", "ws")}/api/simulator/policy/corobot`;
  const dial = (query = "") => dialSimulator(`${url}${query}`, { key });
  return { challenge, records, job, dial };
}

it("a gateway whose database fails refuses simulators with 503 and serves them afterwards", async () => {
  const { challenge, records, dial } = await startWithJob();
  records.change("ALTER TABLE simulators RENAME TO elsewhere");
  expect((await (await dial()).closed).code).toBe(503);
  expect(challenge.find("server_fault").length).toBeGreaterThan(0);
  records.change("ALTER TABLE elsewhere RENAME TO simulators");
  expect(await (await dial()).ask(look)).toEqual(look);
});

it("a simulator that crashes again and again before its first action begins no attempt each time", async () => {
  const { challenge, records, job, dial } = await startWithJob();
  for (let count = 1; count <= 20; count += 1) {
    (await dial()).webSocket.terminate();
    await waitFor(() => challenge.find("simulator_gone").length === count);
  }
  const attempts = listAttempts(records, job.id);
  expect(attempts.length).toBeLessThan(8);
  const detail = expect.stringMatching(/^The simulator of case 1 left before it had an action/);
  for (const attempt of attempts)
    expect(attempt).toMatchObject({ failureReason: 1, isBySimulator: true, detail });
  expect((await (await logIn(challenge.apiUrl)).findJob(job.id)).status).toBe(1);
});

it("a simulator that breaks the protocol is named in the log of the job, and costs the contestant no attempt", async () => {
  const { challenge, records, job, dial } = await startWithJob();
  const ann = await logIn(challenge.apiUrl);
  for (let count = 1; count <= 4; count += 1) {
    const simulator = await dial();
    await simulator.ask(look);
    simulator.webSocket.send("a text");
    await waitFor(() => challenge.find("case_ended").length === count);
  }
  expect(listAttempts(records, job.id)[0]).toMatchObject({ failureReason: 1, isBySimulator: true });
  expect((await ann.get(`/job/${job.id}/log`)).body).toMatchObject({
    failure_reason: 1,
    result: { failure: "simulator_error", error: expect.stringMatching(/^The simulator of case 1 broke/) },
  });
  expect((await ann.findJob(job.id)).status).toBe(1);
  expect(countFailures(records, job.id)).toEqual(new Map());
});
