import { describe, expect, it } from "vitest";
import { MAX_MESSAGE_BYTES } from "../wire/message.ts";
import { Session, type SessionPast } from "./session.ts";
import { makeAgentEnd, makeCancelled, makeWindowLoss } from "./session-loss.ts";

/** A session whose line can be down, and what went over it. */
function makeSession({ isStrict = false, past }: { isStrict?: boolean; past?: SessionPast } = {}) {
  const sent: string[] = [];
  const line = {
    isUp: true,
    sendObservation: (_: Session, observation: Uint8Array, resent: boolean) => {
      if (line.isUp) sent.push(`${Buffer.from(observation)}${resent ? " again" : ""}`);
      return line.isUp;
    },
    goOn: (session: Session) => void sent.push(`goes on with ${session.replies}`),
  };
  return { session: new Session("s", line, isStrict, past), sent, line };
}

const bytes = (text: string) => Buffer.from(text);
const text = async (action: Promise<Uint8Array>) => Buffer.from(await action).toString();

describe("a session", () => {
  it("answers observations one by one, and counts the replies", async () => {
    const { session, sent } = makeSession();
    const first = session.infer(bytes("one"));
    await expect(session.infer(bytes("two"))).rejects.toMatchObject({ code: "observation_waits" });
    expect([session.receive(bytes("1")), session.receive(bytes("late"))]).toEqual([true, false]);
    expect(await text(first)).toBe("1");
    const second = session.infer(bytes("two"));
    session.receive(bytes("2"));
    expect(await text(second)).toBe("2");
    expect([sent, session.replies]).toEqual([["one", "two"], 2]);
  });

  it("sends what waits again, or for the first time when the line was down", async () => {
    const { session, sent, line } = makeSession();
    line.isUp = false;
    const action = session.infer(bytes("one"));
    session.send();
    line.isUp = true;
    session.send();
    session.send();
    expect(sent).toEqual(["one", "one again"]);
    session.receive(bytes("1"));
    expect(await text(action)).toBe("1");
    session.send();
    expect(sent).toHaveLength(2);
  });

  it("where it is strict, answers the next observation by a reply that nobody waited for", async () => {
    const { session, sent } = makeSession({ isStrict: true });
    expect(session.receive(bytes("early"))).toBe(false);
    expect(await text(session.infer(bytes("one")))).toBe("early");
    expect([sent, session.replies]).toEqual([["one"], 1]);
  });

  it("keeps only a few of the replies that nobody waits for, and no more bytes than a message has", async () => {
    const { session } = makeSession({ isStrict: true });
    for (let number = 1; number <= 100; number += 1) session.receive(bytes(`early ${number}`));
    expect(session.replies).toBe(16);
    for (let number = 1; number <= 16; number += 1) {
      expect(await text(session.infer(bytes("look")))).toBe(`early ${number}`);
    }
    const half = Buffer.alloc(MAX_MESSAGE_BYTES / 2);
    for (const payload of [half, half, half, bytes("one")]) session.receive(payload);
    expect(session.replies).toBe(18);
  });

  it("ends by the first reason, and refuses what is asked after it", async () => {
    const { session } = makeSession();
    const action = session.infer(bytes("one"));
    session.end(makeWindowLoss("s", "a", 30_000));
    session.end(makeCancelled("s"));
    const lost = { code: "session_lost", message: expect.stringContaining("within 30 s") };
    await expect(action).rejects.toMatchObject(lost);
    await expect(session.infer(bytes("two"))).rejects.toMatchObject(lost);
    expect([session.signal.aborted, session.loss?.failure]).toEqual([true, "tunnel_lost"]);
  });

  it("lets what waits be answered when no more is taken", async () => {
    const { session } = makeSession();
    const action = session.infer(bytes("one"));
    session.refuseMore(makeAgentEnd("s", "tired"));
    session.receive(bytes("1"));
    expect(await text(action)).toBe("1");
    await expect(session.infer(bytes("two"))).rejects.toMatchObject({
      code: "session_ended",
      message: expect.stringContaining("the agent closed the session: tired"),
    });
  });

  it.each([false, true])(
    "takes the reply of an agent that is back before its simulator (strict: %s)",
    async (isStrict) => {
      const past = { sessionId: "s", replies: [bytes("1")], count: 1 };
      const { session, sent } = makeSession({ isStrict, past });
      expect(session.receive(bytes("2"))).toBe(true);
      if (!isStrict) expect(session.receive(bytes("2"))).toBe(false);
      expect([await text(session.infer(bytes("one"))), session.isBehind, sent]).toEqual(["1", true, []]);
      expect(await text(session.infer(bytes("two")))).toBe("2");
      expect([session.isBehind, session.replies, sent]).toEqual([false, 2, ["goes on with 2"]]);
      const third = session.infer(bytes("three"));
      expect(sent.at(-1)).toBe("three");
      session.receive(bytes("3"));
      expect(await text(third)).toBe("3");
    },
  );
});
