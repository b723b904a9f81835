import { expect, it } from "vitest";
import { gatewayFlags, platformFlags } from "./gateway-flags.ts";
import { resumeSession } from "./resume-session.ts";
import { Session } from "./session.ts";

/** What goes over the link of an agent that is back, in order; `waits`: in the middle of its second observation. */
function resume(flags: typeof gatewayFlags, waits = true) {
  const said: unknown[] = [];
  const line = {
    sendObservation: (_: Session, observation: Uint8Array) => said.push(String(observation)) > 0,
  };
  const session = new Session("s", line, false);
  void session.infer(Buffer.from("one"));
  session.receive(Buffer.from("1"));
  if (waits) void session.infer(Buffer.from("two"));
  said.splice(0);
  resumeSession(session, { sendControl: (message) => said.push(message) }, flags);
  return said;
}

it("says what came before it sends what waits", () => {
  const said = { type: "resume", sessionId: "s", replies: 1 };
  expect(resume(gatewayFlags)).toEqual([{ ...said, resend: true }, "two"]);
  expect(resume(gatewayFlags, false)).toEqual([{ ...said, resend: false }]);
});

it("leaves out what the flags leave out", () => {
  expect(resume({ ...gatewayFlags, sendResume: false })).toEqual(["two"]);
  expect(resume({ ...gatewayFlags, resendOnResume: false })).toMatchObject([{ resend: false }]);
  expect(resume(platformFlags)).toEqual([]);
});
