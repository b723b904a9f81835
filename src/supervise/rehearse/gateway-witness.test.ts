import { describe, expect, it } from "vitest";
import type { TunnelReport } from "../../gateway/gateway-event.ts";
import { makeWitness } from "./gateway-witness.ts";

/** A witness of one agent, told what happens a millisecond apart. */
function makeWatched() {
  let nowMs = 1_000;
  const witness = makeWitness(() => nowMs);
  const see = (report: TunnelReport, agentId = "a") => {
    nowMs += 1;
    witness.see({ ...report, agentId, jobUuid: "job", at: new Date(nowMs), monotonicMs: nowMs });
  };
  const tell = () => witness.tell().find(({ agentId }) => agentId === "a");
  return { witness, see, tell };
}

const payload = new Uint8Array(1);
const late = (sessionId: string): TunnelReport => ({ type: "reply_unknown_session", sessionId, bytes: 1 });

describe("an answer too many", () => {
  it("is one too many, however late, and no answer under another id", () => {
    const { witness, see, tell } = makeWatched();
    see({ type: "dialed", resumed: false });
    see({ type: "session_opened", sessionId: "one" });
    see({ type: "reply", sessionId: "one", payload, asked: true });
    see({ type: "reply", sessionId: "one", payload, asked: false });
    witness.mark("a", "drain");
    see(late("one"));
    expect(tell()).toMatchObject({ surplusReplies: 2, surplusAfterCut: 0, strayReplies: 0 });
  });

  it("is put down to the cut that its session had", () => {
    const { witness, see, tell } = makeWatched();
    see({ type: "session_opened", sessionId: "one" });
    witness.markCut("a", true);
    see(late("one"));
    see({ type: "session_opened", sessionId: "two" });
    see({ type: "reply", sessionId: "two", payload, asked: false });
    expect(tell()).toMatchObject({ surplusReplies: 2, surplusAfterCut: 1, strayReplies: 0 });
  });

  it("is no answer to an empty frame that was answered empty", () => {
    for (const isEmptyToo of [true, false]) {
      const { witness, see, tell } = makeWatched();
      see({ type: "session_opened", sessionId: "one" });
      witness.mark("a", "empty_frame");
      see({ type: "reply", sessionId: "one", payload, asked: false });
      if (isEmptyToo) see({ type: "empty_reply", sidBytes: 3 });
      expect(witness.look("a")).toMatchObject({ probeReplies: 1, emptyReplies: isEmptyToo ? 1 : 0 });
      expect(tell()?.surplusReplies).toBe(isEmptyToo ? 1 : 0);
    }
  });

  it("is a stray under an id that nobody gave this agent", () => {
    const { see, tell } = makeWatched();
    see({ type: "session_opened", sessionId: "one" });
    see({ type: "session_opened", sessionId: "of another" }, "b");
    see(late("made up"));
    see(late("of another"));
    expect(tell()).toMatchObject({ surplusReplies: 0, strayReplies: 2 });
  });
});

it("what befalls the server is no agent's doing", () => {
  const { witness } = makeWatched();
  const nowhere = { jobUuid: "", agentId: "", at: new Date(), monotonicMs: 1 };
  witness.see({ type: "server_fault", why: "accept EMFILE", ...nowhere });
  expect(witness.tell()).toEqual([]);
});
