import { describe, expect, test } from "vitest";
import { encodeFrame } from "../../src/wire/frame.ts";
import { makePlainHandler, useAgents } from "../support/agents.ts";
import { startTunnelStage } from "../support/tunnel-stage.ts";
import { waitFor } from "../support/wait-for.ts";

const startAgent = useAgents();
const bytes = (text: string) => Buffer.from(text);

/** An agent in a session, to which anything can be sent. */
async function begin(own: Parameters<Awaited<ReturnType<typeof startTunnelStage>>["start"]>[0] = {}) {
  const stage = await startTunnelStage(startAgent);
  const handler = makePlainHandler();
  const agent = stage.start({ handler, ...own });
  const { policy } = await stage.nextCase();
  const send = (data: string | Uint8Array) => {
    expect(stage.job.sendFrame(agent.agent.agentId, data)).toBe(true);
  };
  /** The session still works, and everything sent before was read. */
  const expectAlive = async () =>
    expect(String(Buffer.from(await policy.infer(bytes("still here"))))).toBe("reply to still here");
  return { ...stage, agent, handler, policy, send, expectAlive };
}

const claimsMuch = Buffer.alloc(40);
claimsMuch.writeUInt32BE(0xffffffff);

describe("T02 a frame of 3 bytes", () => {
  test("is dropped, counted and told; the link stays", async () => {
    const { agent, send, expectAlive, stage } = await begin();
    send(bytes("abc"));
    await expectAlive();
    expect(agent.log()).toContain("dropped a data frame of 3 bytes");
    expect((await agent.agent.stop()).report).toMatchObject({ malformedFrames: 1, redials: 0 });
    expect(stage.find("link_closed").length).toBeLessThanOrEqual(1);
  });

  test("closes the link of a strict agent with 1002; the session goes on over the next one", async () => {
    const { agent, send, expectAlive, stage } = await begin({ strictFrames: true });
    send(bytes("abc"));
    expect(await stage.waitForEvent("link_closed")).toMatchObject({ code: 1002 });
    await expectAlive();
    expect((await agent.agent.stop()).report).toMatchObject({ malformedFrames: 1, redials: 1, sessions: 1 });
  });
});

test("T04 a session id that claims 4 GiB is dropped, and nothing of that size is made", async () => {
  const { agent, send, expectAlive } = await begin();
  const before = process.memoryUsage().arrayBuffers;
  send(claimsMuch);
  await expectAlive();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1024 * 1024);
  expect(agent.log()).toContain("claims a session id of 4294967295");
});

test("T05 a session id of 257 bytes is dropped; one of exactly 256 is a session", async () => {
  const { agent, handler, send } = await begin();
  const frame = Buffer.concat([Buffer.from([0, 0, 1, 1]), Buffer.alloc(257, "s"), bytes("x")]);
  send(frame);
  await agent.waitForLine(/a session id of 257 bytes/);
  expect(() => encodeFrame(Buffer.alloc(257), bytes("x"))).toThrow("257 bytes");
  const longest = "s".repeat(256);
  send(encodeFrame(bytes(longest), bytes("xyz")));
  await waitFor(() => handler.calls.includes(`handle ${longest} 3`));
});

test("T07 without a session id, a frame with a payload is dropped, and one without is a probe that is answered empty", async () => {
  const { agent, handler, send, expectAlive, stage } = await begin();
  send(encodeFrame(new Uint8Array(), bytes("payload")));
  send(encodeFrame(new Uint8Array(), new Uint8Array()));
  expect(await stage.waitForEvent("empty_reply")).toMatchObject({ sidBytes: 0 });
  await expectAlive();
  expect(agent.log()).toContain("dropped a data frame without a session id");
  expect(handler.calls.filter((call) => call.startsWith("handle "))).toHaveLength(1);
  expect(handler.calls.some((call) => call.endsWith(" 0"))).toBe(false);
});

test("T08 control messages of an unknown type are ignored, told once and counted each time", async () => {
  const { agent, send, expectAlive } = await begin();
  for (let count = 0; count < 3; count += 1) send('{"type":"hologram","session_id":"x"}');
  await expectAlive();
  expect(agent.log().match(/hologram/g)).toHaveLength(1);
  expect((await agent.agent.stop()).report.ignoredControls).toEqual({ hologram: 3 });
});

test("T09 control text that is no message changes nothing", async () => {
  const { agent, send, expectAlive } = await begin();
  const before = agent.agent.state;
  const texts = ["not json", "[]", "null", '{"type":5}', "x".repeat(1_000_000), "[".repeat(10_000), '{"a":'];
  for (const text of [...texts, '{"type":"session_open"}', '{"type":"ready"}']) send(text);
  await expectAlive();
  expect(agent.agent.state).toBe(before);
  const { ignoredControls, redials, sessions } = (await agent.agent.stop()).report;
  expect(Object.values(ignoredControls).reduce((sum, count) => sum + count)).toBe(texts.length + 2);
  expect([redials, sessions]).toEqual([0, 1]);
  expect(Math.max(...agent.lines.map(({ text }) => text.length))).toBeLessThan(500);
});
