import { afterEach, beforeEach, expect, test } from "vitest";
import { makePlainHandler, TOKEN, useAgents, waitForError } from "../../test/support/agents.ts";
import {
  type ScriptedGateway,
  type ScriptedLink,
  startScriptedGateway,
} from "../../test/support/scripted-gateway.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { closeCodes } from "../wire/close-codes.ts";

let gateway: ScriptedGateway;
const startOne = useAgents();
const start = (own: Partial<Parameters<typeof startOne>[0]> = {}) =>
  startOne({ gatewayUrl: gateway.url, handler: makePlainHandler(), ...own });

beforeEach(async () => {
  gateway = await startScriptedGateway();
});
afterEach(() => gateway.close());

async function begin(own: Parameters<typeof start>[0] = {}) {
  const played = start(own);
  const link = await gateway.nextLink();
  await link.warmUp();
  return { played, link };
}

test("after a close without drain it comes back with the same id, and warms up without loading again", async () => {
  const handler = makePlainHandler();
  const { played, link } = await begin({ handler });
  link.socket.close(1000);
  const next = await gateway.nextLink();
  expect(next.agentId).toBe(link.agentId);
  await next.warmUp();
  expect(handler.calls).toEqual(["load"]);
  expect(played.log()).toContain("the gateway closed the link with 1000; dialling again in");
});

test("over the cap it waits long, spends no budget, and joins when there is room", async () => {
  for (const refusal of [{ close: closeCodes.over_cap, reason: "2 of 2 connected" }, { close: 1000 }]) {
    const first = gateway.dials.length;
    gateway.answer = (_, number) => (number - first < 6 ? refusal : "accept");
    const played = start({ timers: { overCapMs: 60, redialBudgetMs: 100 } });
    const link = await gateway.nextLink();
    await link.warmUp();
    expect(gateway.dials.length - first).toBe(6);
    expect(played.log()).toContain("this one waits for its turn");
    expect(played.states).toEqual(["starting", "queued", "warmup", "running"]);
    await played.agent.stop();
  }
});

test("the close frame tells a refusal, also where the connection stays open behind it", async () => {
  gateway.answer = () => ({ close: 1000, isLeftOpen: true });
  const played = start();
  await played.waitForLine(/this one waits for its turn/);
  expect(played.log()).not.toContain("QUEUED");
  expect(played.events.some(({ detail }) => detail === "connected")).toBe(false);
});

test("an id that a person chose may also be taken where the gateway says nothing", async () => {
  gateway.answer = () => ({ close: 1000 });
  const played = start({ agentId: "chosen" });
  await played.waitForLine(/or another process is connected with this agent id/);
});

test("a duplicate of its own old link is dialled again until the gateway lets go of it", async () => {
  const { played, link } = await begin();
  const first = gateway.dials.length;
  const refusals = [{ close: 1000 }, { close: closeCodes.duplicate }];
  gateway.answer = (_, number) => refusals[number - first - 1] ?? "accept";
  link.reset();
  const next = await gateway.nextLink();
  expect(next.agentId).toBe(link.agentId);
  expect(played.log()).toContain("the gateway still takes the old link for live");
});

test("a pair that another process has is named at the end of the budget", async () => {
  gateway.answer = () => ({ close: closeCodes.duplicate, reason: "connected from 10.0.0.7 since 12:01" });
  const error = await waitForError(start({ agentId: "chosen", timers: { redialBudgetMs: 120 } }));
  expect(error.code).toBe("pair_taken");
  expect(error.message).toContain("agent chosen of job job-1: connected from 10.0.0.7 since 12:01");
  expect(gateway.dials.length).toBeLessThan(12);
});

test("a pair that has expired is given up for a fresh id at once", async () => {
  const handler = makePlainHandler();
  const { played, link } = await begin({ handler });
  link.observe("A", "x");
  await link.nextReply();
  const first = gateway.dials.length;
  gateway.answer = (_, number) => (number === first + 1 ? { close: closeCodes.pair_expired } : "accept");
  link.reset();
  const next = await gateway.nextLink();
  expect(next.agentId).not.toBe(link.agentId);
  expect(next.agentId).toBe(played.agent.agentId);
  await next.warmUp();
  expect(handler.calls).toEqual(["load", "open A", "handle A 1", "close A"]);
});

test("so is one that an earlier process left behind; but not twice", async () => {
  gateway.answer = ({ agentId }) => (agentId === "left" ? { close: closeCodes.pair_expired } : "accept");
  start({ agentId: "left" });
  const link = await gateway.nextLink();
  expect(link.agentId).not.toBe("left");
  gateway.answer = () => ({ close: closeCodes.pair_expired });
  const error = await waitForError(start({ agentId: "left" }));
  expect(error.code).toBe("pair_expired");
  expect(`${error.message} ${error.hint}`).toMatch(/under a fresh id neither.*without an agent id/);
});

test("a gateway that crashes over each link is dialled less and less often, and given up in the end", async () => {
  gateway.answer = () => "cut";
  // However short it is, no connection is a refusal.
  const played = start({ timers: { refusalMs: 0, upMs: 10_000, redialBudgetMs: 400, freshIdMs: 50 } });
  const error = await waitForError(played);
  expect([error.code, error.message]).toEqual([
    "redials_spent",
    expect.stringContaining("the link broke off"),
  ]);
  // The pauses double from 5 to 50 ms.
  expect(gateway.dials.length).toBeLessThan(30);
});

test("so is one that warms up and closes, or breaks the rules of WebSocket, each time anew", async () => {
  const faults: [RegExp, (link: ScriptedLink) => void][] = [
    [/closed the link with 1011/, ({ socket }) => socket.close(1011)],
    [/at most 67108864/, ({ raw }) => raw.write(Buffer.from([0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0]))],
    [/RSV1 must be clear/, ({ raw }) => raw.write(Buffer.from([0xc1, 0]))],
    [/MASK must be clear|RSV/, ({ raw }) => raw.write("<html>hello</html>")],
  ];
  for (const [words, fail] of faults) {
    const first = gateway.dials.length;
    const play = (link: ScriptedLink) => {
      link.tell({ type: "warmup" });
      fail(link);
    };
    gateway.answer = () => ({ play });
    const played = start({ timers: { upMs: 10_000, redialBudgetMs: 300, freshIdMs: 50 } });
    const error = await waitForError(played);
    expect([error.code, error.exit, error.message]).toEqual([
      "redials_spent",
      1,
      expect.stringMatching(words),
    ]);
    expect(gateway.dials.length - first).toBeLessThan(30);
  }
});

test("when the budget is spent a fresh id is tried, and then it ends with the next step", async () => {
  const { played, link } = await begin({ timers: { redialBudgetMs: 100, freshIdMs: 60 } });
  gateway.answer = () => ({ status: 503 });
  link.reset();
  const error = await waitForError(played);
  expect(error.code).toBe("redials_spent");
  expect(`${error.message} ${error.hint}`).toMatch(
    /did not come back within.*and a fresh agent id did not help.*503.*sortie challenge quota/,
  );
  expect(new Set(gateway.dials.map(({ agentId }) => agentId)).size).toBe(2);
});

test("a fresh id that gets through goes on", async () => {
  const { link } = await begin({ timers: { redialBudgetMs: 60, freshIdMs: 2_000 } });
  gateway.answer = ({ agentId }) => (agentId === link.agentId ? { status: 502 } : "accept");
  link.reset();
  const next = await gateway.nextLink();
  expect(next.agentId).not.toBe(link.agentId);
  await next.warmUp();
});

test("an agent that never got a link says why", async () => {
  await gateway.close();
  const error = await waitForError(start({ timers: { redialBudgetMs: 60 } }));
  expect(error.code).toBe("dial_failed");
  expect(error.message).toContain("nobody listens there (ECONNREFUSED)");
  gateway = await startScriptedGateway();
});

test("a 401 is answered with one new token, and a second 401 ends it", async () => {
  const tokens: string[] = [];
  gateway.answer = ({ token }) => (token === "fresh-token" ? "accept" : { status: 401 });
  const refreshToken = async () => {
    tokens.push("fresh-token");
    return "fresh-token";
  };
  const played = start({ refreshToken });
  const link = await gateway.nextLink();
  await link.warmUp();
  gateway.answer = () => ({ status: 401, body: `{"error":"${TOKEN} and fresh-token are unknown"}` });
  link.reset();
  const error = await waitForError(played);
  expect(error.code).toBe("tunnel_unauthorized");
  expect(tokens.length).toBe(1);
  expect(error.message).toContain('401: "[token] and [token] are unknown"');
  const { error: told } = await played.agent.ended;
  expect(JSON.stringify([played.events, told, told?.details])).not.toMatch(/token-that-nobody|fresh-token/);
  for (const cause of ["missing, wrong or expired", "unknown or not yours", "has ended", "another job"])
    expect(error.hint).toContain(cause);
  expect(played.log()).not.toMatch(/token-that-nobody|fresh-token/);
});

test("without a new token, or with none to be had, a 401 is final at once", async () => {
  gateway.answer = () => ({ status: 401 });
  expect((await waitForError(start())).code).toBe("tunnel_unauthorized");
  const none = start({ refreshToken: async () => undefined });
  expect((await waitForError(none)).code).toBe("tunnel_unauthorized");
  expect(gateway.dials.length).toBe(2);
});

test("whoever gives new tokens is asked again where it could not be asked", async () => {
  gateway.answer = ({ token }) => (token === "fresh-token" ? "accept" : { status: 401 });
  let asked = 0;
  const refreshToken = async () => {
    asked += 1;
    if (asked < 4) throw new Error("the login server is away");
    return "fresh-token";
  };
  const played = start({ refreshToken });
  await (await gateway.nextLink()).warmUp();
  expect(asked).toBe(4);
  expect(played.log()).toContain("no tunnel: no new token: the login server is away; dialling again in");
});

test("what a gateway quotes of the token at a close, or in a control message, is not shown", async () => {
  const { played, link } = await begin();
  link.tell({ type: "queued", reason: `of ${TOKEN}` });
  link.tell(`{"type":"${TOKEN}"}`);
  link.socket.close(4999, `not ${TOKEN}`);
  await gateway.nextLink();
  await played.waitForLine(/closed the link with 4999 \(not \[token\]\)/);
  const { report } = await played.agent.stop();
  expect(JSON.stringify([played.events, played.log(), report])).not.toContain(TOKEN);
});

test("a wrong address ends it at once", async () => {
  gateway.answer = () => ({ status: 200, body: "<html>", headers: { "content-type": "text/html" } });
  const error = await waitForError(start());
  expect(error.code).toBe("tunnel_wrong_address");
  expect(gateway.dials.length).toBe(1);
});

test("a link that served and is closed with any code, but without a drain, is dialled again", async () => {
  const { over_cap, duplicate, pair_expired, job_over } = closeCodes;
  let { link, played } = await begin();
  for (const code of [over_cap, duplicate, pair_expired, job_over]) {
    link.observe("A", `before ${code}`);
    await link.nextReply();
    link.socket.close(code);
    const next = await gateway.nextLink();
    expect(next.agentId).toBe(link.agentId);
    link = next;
  }
  expect(played.log()).not.toMatch(/fresh id|waits for its turn|DRAINING/);
});

test("a link that came back and stays silent is told, or ended for a fresh id", async () => {
  const { played, link } = await begin({ timers: { stallMs: 80 } });
  link.reset();
  await gateway.nextLink();
  await played.waitForLine(/nothing came for .* since the link is back[\s\S]*--on-stall fresh-id/);
  expect(played.agent.agentId).toBe(link.agentId);
  await played.agent.stop();

  const other = await begin({ timers: { stallMs: 80 }, onStall: "fresh-id" });
  other.link.reset();
  const silent = await gateway.nextLink();
  silent.tell({ type: "queued" }); // it waits in line, as it says for ever
  silent.socket.pause(); // and does not see the close
  await other.played.waitForLine(/goes on with the fresh id/);
  silent.observe("A", "too late");
  const fresh = await gateway.nextLink();
  expect(fresh.agentId).not.toBe(other.link.agentId);
  expect(other.played.log()).not.toContain("session A");
});

test("nobody dials after a drain, not even when the link breaks off in it", async () => {
  let release: () => void = () => undefined;
  const handle = () =>
    new Promise<Uint8Array>((resolve) => {
      release = () => resolve(Buffer.from("late"));
    });
  const { played, link } = await begin({ handler: makePlainHandler({ handle }) });
  link.observe("A", "x");
  await played.waitForLine(/session A opened/);
  link.tell({ type: "drain" });
  await played.waitForState("draining");
  link.reset();
  const { outcome, report } = await played.agent.ended;
  release();
  expect([outcome, report.lost]).toEqual(["drained", 1]);
  await waitFor(() => played.agent.state === "drained");
  expect(gateway.dials.length).toBe(1);
});
