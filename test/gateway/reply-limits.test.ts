import { expect, it } from "vitest";
import { listAttempts } from "../../src/gateway/records/attempts.ts";
import { listCases } from "../../src/gateway/records/cases.ts";
import { MOST_REPLY_BYTES } from "../../src/gateway/records/replies.ts";
import { logIn, makeEchoBoard, useChallenge, waitForEnd } from "../support/challenge.ts";
import { dialRaw, type RawAgent } from "../support/raw-agent.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const STEPS = 4;
const challenge = useChallenge();
const echo = { boards: { instruction: makeEchoBoard(1, STEPS) }, recordings: "off" };
const outside = {
  boards: { kitchen: { simulator: "outside", payload: "opaque", tasks: { drawer: { cases: 1, seed: 1 } } } },
  recordings: "off",
  simulators: { score_wait: "1s" },
};

/** A job of one case, and a raw agent that is ready for it. */
async function startWith(values: typeof echo | typeof outside) {
  const start = () => challenge.host(values, { openSimulators: true });
  const gateway = await start();
  await challenge.addUser();
  const ann = await logIn(gateway.apiUrl);
  const job = await ann.submit(Object.keys(values.boards)[0]);
  const dial = (agentId?: string) =>
    dialRaw({ tunnelUrl: job.tunnel_endpoint }, { uuid: job.uuid, token: job.job_token }, { agentId });
  const agent = await dial();
  await agent.waitForControl("warmup");
  agent.say({ type: "ready" });
  return { gateway, start, ann, job, dial, agent, records: challenge.openRecords() };
}

async function answer(agent: RawAgent, sessionId: string, payload: Uint8Array) {
  await agent.waitForFrame();
  agent.reply(sessionId, payload);
}

it("a session with a reply too large to keep goes on, and is over by a restart", async () => {
  const { gateway, start, ann, job, dial, agent, records } = await startWith(echo);
  const { session_id: sessionId = "" } = await agent.waitForControl("session_open");
  const large = Buffer.alloc(MOST_REPLY_BYTES + 1);
  await answer(agent, sessionId, Buffer.from("small"));
  await answer(agent, sessionId, large);
  await agent.waitForFrame();
  expect(listAttempts(records, job.id)).toMatchObject([{ isResumable: false, endedAt: null }]);
  expect(records.list("SELECT * FROM replies")).toEqual([]);
  await gateway.stop(0);
  await start();
  expect(listAttempts(records, job.id)).toMatchObject([{ failureReason: 9, detail: "startup reconcile" }]);
  const back = await dial(agent.agentId);
  back.serve(() => large);
  expect((await waitForEnd(ann, job.id)).status).not.toBe(3);
  expect(listCases(records, job.id)).toMatchObject([{ attempts: 2 }]);
});

it("while another process holds the database a session goes on, and nothing of it piles up", async () => {
  const { gateway, agent, records } = await startWith(echo);
  const { session_id: sessionId = "" } = await agent.waitForControl("session_open");
  await answer(agent, sessionId, Buffer.from("one"));
  await agent.waitForFrame();
  records.change("BEGIN IMMEDIATE");
  try {
    agent.reply(sessionId, Buffer.from("two"));
    for (let left = 2; left < STEPS; left += 1) await answer(agent, sessionId, Buffer.from("more"));
    await waitFor(() => gateway.find("case_ended").length > 0, { what: "the end of the case" });
    const health = await fetch(`${gateway.apiUrl}/healthz`).then((response) => response.text());
    expect(health).toContain(`"ledger":{"status":"degraded"`);
    expect(health).toContain(`"status":"degraded","parts"`);
  } finally {
    records.change("ROLLBACK");
  }
  await waitFor(() => records.find("SELECT 1 FROM jobs WHERE status = 2"), { what: "its end on record" });
  expect(records.list("SELECT * FROM replies")).toEqual([]);
  expect(records.list("SELECT replies, resumable FROM attempts")).toEqual([{ replies: 2, resumable: 0 }]);
});

it("of a session that is played outside replies are counted and not kept, and it goes on after a restart", async () => {
  const { gateway, start, ann, job, dial, agent, records } = await startWith(outside);
  const url = `${gateway.apiUrl.replace("http", "ws")}/api/simulator/policy/corobot`;
  const simulator = await dialSimulator(url);
  const { session_id: sessionId = "" } = await agent.waitForControl("session_open");
  for (let given = 0; given < 3; given += 1) {
    simulator.send(Buffer.from(`look ${given}`));
    await answer(agent, sessionId, Buffer.alloc(MOST_REPLY_BYTES + 1));
    await simulator.nextFrame();
  }
  expect(listAttempts(records, job.id)).toMatchObject([{ replies: 3, isResumable: true }]);
  expect(records.list("SELECT * FROM replies")).toEqual([]);
  await gateway.stop(0);
  await start();
  const back = await dial(agent.agentId);
  const again = await dialSimulator(`${url}?case=1`);
  again.send(Buffer.from("look on"));
  expect(await back.waitForControl("resume")).toMatchObject({ session_id: sessionId, replies: 3 });
  await answer(back, sessionId, Buffer.from("move"));
  expect(String(await again.nextFrame())).toBe("move");
  again.webSocket.close();
  expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2 });
  expect(listAttempts(records, job.id)).toMatchObject([{ sessionId, failureReason: 0 }]);
});
