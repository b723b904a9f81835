import { describe, expect, it } from "vitest";
import { openSession, startStage } from "../support/gateway-stage.ts";
import { dialRaw, type RawAgent } from "../support/raw-agent.ts";

/** That the session goes on as if nothing had been: the observation is answered. */
async function expectUndisturbed(
  agent: RawAgent,
  { sessionId, action }: { sessionId: string; action: Promise<Uint8Array> },
) {
  agent.reply(sessionId, "move");
  expect(Buffer.from(await action).toString()).toBe("move");
}

describe("T12 ready before warmup", () => {
  it("is ignored; the warm-up is sent, and needs a ready of its own", async () => {
    const stage = await startStage();
    const job = stage.addJob();
    const agent = await dialRaw(stage, job, { greeting: '{"type":"ready"}' });
    await agent.waitForControl("warmup");
    expect((await stage.waitForEvent("ignored_control")).why).toBe(
      '"ready" of an agent whose tunnel is queued',
    );
    expect(job.tunnels).toMatchObject([{ state: "warmup", isConnected: true }]);
    agent.say({ type: "ready" });
    await agent.waitForControl("session_open");
    expect(stage.find("ready")).toHaveLength(1);
  });

  it("is not waited for longer where an agent answers no ping", async () => {
    const stage = await startStage();
    const agent = await dialRaw(stage, stage.addJob(), { autoPong: false, greeting: '{"type":"ready"}' });
    await stage.waitForEvent("ignored_control");
    await agent.waitForControl("warmup");
  });

  it("twice counts once", async () => {
    const stage = await startStage();
    const { agent, ...session } = await openSession(stage);
    agent.say({ type: "ready" });
    await stage.waitForEvent("ignored_control");
    await expectUndisturbed(agent, session);
    expect(stage.find("session_opened")).toHaveLength(1);
  });
});

describe("T13 messages from the wrong side", () => {
  it.each(["warmup", "session_open", "drain", "queued", "resume"])("%s changes nothing", async (type) => {
    const stage = await startStage();
    const { agent, job, ...session } = await openSession(stage);
    agent.say({ type, session_id: "other", replies: 3 });
    expect((await stage.waitForEvent("ignored_control")).why).toBe(`"${type}", which no agent says`);
    expect(job.tunnels).toMatchObject([{ state: "running", sessionId: session.sessionId }]);
    await expectUndisturbed(agent, session);
  });
});

describe("T09 control text that is no message", () => {
  it.each([
    ["not JSON", "not json"],
    ["a list", "[]"],
    ["null", "null"],
    ["a type that is no text", '{"type":5}'],
    ["1 MB", `{"type":"ready","x":"${"x".repeat(1_000_000)}"}`],
    ["nested 10,000 deep", `{"type":"ready","x":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
    ["a close of no session", '{"type":"session_close","session_id":"other"}'],
  ])("%s changes nothing", async (_, text) => {
    const stage = await startStage();
    const { agent, ...session } = await openSession(stage);
    agent.say(text);
    await stage.waitForEvent("ignored_control");
    await expectUndisturbed(agent, session);
    expect(stage.find("link_closed")).toEqual([]);
  });

  it("tells of a key that is there twice, and takes the last one", async () => {
    const stage = await startStage();
    const { agent } = await openSession(stage);
    agent.say('{"type":"drain","type":"ready"}');
    const { why } = await stage.waitForEvent("ignored_control");
    expect(why).toBe('"ready" of an agent whose tunnel is running');
  });
});

it("T08 control messages of an unknown type change nothing", async () => {
  const stage = await startStage();
  const { agent, ...session } = await openSession(stage);
  agent.say({ type: "hologram", session_id: session.sessionId });
  const { why } = await stage.waitForEvent("ignored_control");
  expect(why).toBe('a control message of the unknown type "hologram"');
  await expectUndisturbed(agent, session);
});

describe("T07 frames without a session", () => {
  it("with a payload are dropped, without one are the answer to a probe", async () => {
    const stage = await startStage();
    const { agent, job, ...session } = await openSession(stage);
    agent.reply("", "whose");
    expect(await stage.waitForEvent("reply_unknown_session")).toMatchObject({ sessionId: "", bytes: 5 });
    agent.reply("no-such-session", "whose");
    expect(await stage.waitForEvent("reply_unknown_session", 2)).toMatchObject({
      sessionId: "no-such-session",
    });
    expect(job.sendFrame(agent.agentId, Uint8Array.of(0, 0, 0, 0))).toBe(true);
    expect(await agent.waitForFrame()).toEqual({ sid: "", payload: Buffer.alloc(0) });
    agent.reply("", "");
    expect(await stage.waitForEvent("empty_reply")).toMatchObject({ sidBytes: 0 });
    await expectUndisturbed(agent, session);
    agent.reply(session.sessionId, "nobody asked");
    expect(await stage.waitForEvent("reply", 2)).toMatchObject({ asked: false });
    agent.reply(session.sessionId, "");
    expect(await stage.waitForEvent("empty_reply", 2)).toMatchObject({ sidBytes: 36 });
  });
});

describe("T03 a frame that cannot be", () => {
  it.each([
    ["of 3 bytes", Buffer.from([0, 0, 0]), "a data frame of 3 bytes: it begins with a length of 4"],
    [
      "that claims a session id of 4 GiB (T04)",
      Buffer.alloc(40, 0xff),
      "a data frame of 40 bytes that claims a session id of 4294967295",
    ],
  ])("%s ends the link; the session waits and goes on", async (_, frame, why) => {
    const stage = await startStage();
    const { agent, job, action, sessionId } = await openSession(stage);
    agent.webSocket.send(frame);
    expect(await agent.closed).toEqual({ code: 1002, reason: why });
    expect(stage.find("malformed_frame")).toMatchObject([{ why }]);
    expect(stage.find("link_closed")).toMatchObject([{ code: 1002, windowOpen: true }]);
    expect(job.tunnels).toMatchObject([{ isConnected: false, sessionId }]);
    const back = await dialRaw(stage, job, { agentId: agent.agentId });
    await back.waitForFrame();
    await expectUndisturbed(back, { sessionId, action });
  });

  it("ends the link in silence too, without a word", async () => {
    const stage = await startStage({ flags: { closeCodes: "silent" } });
    const { agent } = await openSession(stage);
    agent.webSocket.send(Buffer.from([1]));
    expect(await agent.closed).toEqual({ code: 1005, reason: "" });
    expect(stage.find("link_closed")).toMatchObject([{ windowOpen: true }]);
  });

  it("ends the link also where WebSocket itself is broken", async () => {
    const stage = await startStage();
    const { agent } = await openSession(stage);
    const { _socket: socket } = agent.webSocket as unknown as { _socket: NodeJS.WritableStream };
    socket.write(Buffer.from([0xff, 0x80, 1, 2, 3, 4])); // reserved bits, which no extension explains
    expect(await agent.closed).toMatchObject({ code: 1002 });
    expect((await stage.waitForEvent("malformed_frame")).why).toMatch(/RSV/);
    expect(await stage.waitForEvent("link_closed")).toMatchObject({ windowOpen: true });
  });
});

describe("T05 a session id", () => {
  const makeFrame = (sidBytes: number) =>
    Buffer.concat([Buffer.from([0, 0, sidBytes >> 8, sidBytes & 255]), Buffer.alloc(sidBytes, "s")]);

  it("of 257 bytes ends the link", async () => {
    const stage = await startStage();
    const { agent } = await openSession(stage);
    agent.webSocket.send(makeFrame(257));
    expect(await agent.closed).toEqual({
      code: 1002,
      reason: "a session id of 257 bytes: at most 256 are allowed",
    });
    expect(stage.find("link_closed")).toMatchObject([{ windowOpen: true }]);
  });

  it("of exactly 256 bytes is one", async () => {
    const stage = await startStage();
    const { agent, ...session } = await openSession(stage);
    agent.webSocket.send(makeFrame(256));
    expect(await stage.waitForEvent("empty_reply")).toMatchObject({ sidBytes: 256 });
    await expectUndisturbed(agent, session);
  });
});
