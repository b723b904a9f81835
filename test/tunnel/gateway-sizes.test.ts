import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openSession, startStage } from "../support/gateway-stage.ts";
import { dialRaw } from "../support/raw-agent.ts";

const MIB = 1024 * 1024;
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Bytes without a pattern, the same for the same size. */
function makeBytes(size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let state = size;
  for (let at = 0; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE(state, at);
  }
  return bytes;
}

describe("T30 frames of 2 to 65 MiB", () => {
  it("pass with equal hashes both ways, in one piece and in two, up to the limit", async () => {
    const stage = await startStage();
    const { agent, action, sessionId, played } = await openSession(stage);
    agent.reply(sessionId, "move");
    await action;
    for (const size of [
      125 - 40,
      126 - 40,
      65_535 - 40,
      65_536 - 40,
      2 * MIB,
      8 * MIB,
      16 * MIB,
      64 * MIB - 40,
    ]) {
      const observation = makeBytes(size);
      const answer = played.policy.infer(observation);
      const { payload } = await agent.waitForFrame();
      expect(hash(payload)).toBe(hash(observation));
      const header = Buffer.concat([Buffer.from([0, 0, 0, 36]), Buffer.from(sessionId)]);
      agent.webSocket.send(header, { fin: false });
      agent.webSocket.send(payload, { fin: true });
      expect(hash(await answer)).toBe(hash(observation));
    }
    expect(stage.find("malformed_frame")).toEqual([]);
  });

  it("beyond it are refused before they are sent, with size and limit", async () => {
    const stage = await startStage();
    const { agent, action, sessionId, played } = await openSession(stage);
    agent.reply(sessionId, "move");
    await action;
    for (const size of [64 * MIB - 39, 65 * MIB]) {
      await expect(played.policy.infer(Buffer.alloc(size))).rejects.toMatchObject({
        code: "observation_too_big",
        message: expect.stringMatching(new RegExp(`${size} bytes .*at most 67108864 bytes`)),
      });
    }
    const next = played.policy.infer(Buffer.from("small"));
    expect((await agent.waitForFrame()).payload.toString()).toBe("small");
    agent.reply(sessionId, "move");
    await next;
  });

  it("are not collected from an agent that has no session: half ones would fill the memory", async () => {
    const stage = await startStage();
    const job = stage.addJob({ parallelism: 2 });
    const [agent, other] = [await dialRaw(stage, job), await dialRaw(stage, job)];
    agent.webSocket.send(makeBytes(2 * MIB), { fin: false });
    expect(await agent.closed).toMatchObject({ code: 1006 });
    expect(stage.find("link_closed")).toMatchObject([{ reason: "a big frame outside a session" }]);
    expect(other.webSocket.readyState).toBe(other.webSocket.OPEN);
  });

  it("beyond it end the link with 1009 when an agent sends them; the session waits", async () => {
    const stage = await startStage();
    const { agent, job, sessionId } = await openSession(stage);
    agent.reply(sessionId, Buffer.alloc(65 * MIB));
    expect(await agent.closed).toMatchObject({ code: 1009 });
    expect((await stage.waitForEvent("malformed_frame")).why).toBe(
      `a message of ${65 * MIB + 40} bytes: at most 67108864 (64 MiB) are taken`,
    );
    expect(await stage.waitForEvent("link_closed")).toMatchObject({ windowOpen: true });
    expect(job.tunnels).toMatchObject([{ sessionId, isConnected: false }]);
  });
});
