import { expect, it } from "vitest";
import { reply, type TakenCall, useNoticeServers } from "../../../test/support/notice-servers.ts";
import { systemClock } from "../../base/clock.ts";
import { askQuestion } from "./ask-question.ts";
import { makeBridgeNotifier } from "./bridge-notifier.ts";

const servers = useNoticeServers();
const plan = "p0123456789";
const question = {
  plan,
  title: "Rent a machine?",
  lines: ["1.20 USD an hour"],
  options: ["approve", "reject"],
};

type Respond = (response: Parameters<typeof reply>[0], call: TakenCall) => void;

const taken: Respond = (response) => reply(response, { ok: true, message_id: "om_1" });

/** A bridge that takes questions and answers polls as the test says; the last answer is given again. */
async function serveBridge(polls: Respond[], send: Respond = taken) {
  const steps = [...polls];
  return servers.serve((call, response) => {
    if (call.path === "/send") return send(response, call);
    const step = steps.length > 1 ? steps.shift() : steps[0];
    step?.(response, call);
  });
}

function say(body: unknown, status = 200): Respond {
  return (response) => reply(response, body, status);
}

async function ask(
  url: string,
  { people = [] as string[], timeoutMs = 2_000, signal = new AbortController().signal } = {},
) {
  return await askQuestion(question, { bridge: { url, timeoutMs, people }, clock: systemClock, signal });
}

it("sends the question with its options and plan, and polls for the reply to that message", async () => {
  const bridge = await serveBridge([say({ reply: " Approve " })]);
  expect(await ask(bridge.url)).toEqual({ plan, option: "approve", by: null });
  const [sent, polled] = bridge.calls;
  expect(sent?.body).toMatchObject({ type: "checkpoint", options: ["approve", "reject"], plan });
  expect(sent?.body["body"]).toContain(`Plan: ${plan}`);
  expect(polled?.path).toMatch(/^\/poll\?message_id=om_1&timeout=[12]$/);
});

it("takes an answer beside a fault that is null", async () => {
  const send = say({ ok: true, error: null, message_id: "om_1" });
  const bridge = await serveBridge([say({ reply: "approve", error: null })], send);
  expect(await ask(bridge.url)).toMatchObject({ option: "approve" });
});

it("polls again while nobody has answered, and through a passing fault", async () => {
  const bridge = await serveBridge([say({ timeout: true }), say({}, 503), say({ reply: "reject" })]);
  expect(await ask(bridge.url, { timeoutMs: 20_000 })).toMatchObject({ option: "reject" });
}, 10_000);

it("takes an answer of one who may give it, and says who it was", async () => {
  const bridge = await serveBridge([
    say({ reply: `approve ${plan}`, open_id: "ou_ann", message_id: "om_1" }),
  ]);
  expect(await ask(bridge.url, { people: ["ou_ann"] })).toEqual({ plan, option: "approve", by: "ou_ann" });
});

it.each([
  ["another person", { reply: "approve", open_id: "ou_bob" }, "ou_bob may not answer"],
  ["nobody", { reply: "approve" }, "does not say who"],
  [
    "a reply to another message",
    { reply: "approve", open_id: "ou_ann", message_id: "om_2" },
    "another message",
  ],
  ["a reply about another plan", { reply: "approve", open_id: "ou_ann", plan: "p9" }, "another plan"],
  ["words about another plan", { reply: "approve p9999999999", open_id: "ou_ann" }, "another plan"],
  ["other words", { reply: "yes, approve", open_id: "ou_ann" }, "none of: approve, reject"],
  ["no words", { reply: "", open_id: "ou_ann" }, "none of"],
  ["no reply", { ok: true }, "holds no reply"],
  ["a reply that is no text", { reply: true, open_id: "ou_ann" }, "no text"],
  ["a fault that is no text", { error: { toString: 1 }, reply: "approve" }, '{"toString":1}'],
  ["a fault", { error: "unknown message_id", reply: "approve" }, "unknown message_id"],
])("takes %s for no answer", async (_, body, reason) => {
  const bridge = await serveBridge([say(body)]);
  const answer = await ask(bridge.url, { people: ["ou_ann"] });
  expect(answer).toMatchObject({ plan, option: null, reason: expect.stringContaining(reason) });
});

it.each<[string, Respond[], Respond, string]>([
  ["takes the question without an id", [say({ reply: "approve" })], say({ ok: true }), "no message_id"],
  ["says why in a way of its own", [], say({ error: { valueOf: 1, toString: 2 } }), '"toString":2'],
  ["cannot send it", [say({ reply: "approve" })], say({ error: "no user", code: 1 }), "no user"],
  ["answers a web page", [(response) => void response.end("<html>approve")], taken, "no JSON"],
  ["answers with another status", [say({ reply: "approve" }, 404)], taken, "status 404"],
  [
    "redirects",
    [(response) => void response.writeHead(302, { location: "/" }).end()],
    taken,
    "cannot be understood",
  ],
])("has no answer of a bridge that %s", async (_, polls, send, reason) => {
  const bridge = await serveBridge(polls, send);
  expect(await ask(bridge.url)).toMatchObject({ option: null, reason: expect.stringContaining(reason) });
});

it("has no answer where nobody answers in time, where the reply says both, and of a bridge that is down", async () => {
  const silent = await serveBridge([say({ timeout: true, reply: "approve" })]);
  expect(await ask(silent.url, { timeoutMs: 300 })).toMatchObject({
    option: null,
    reason: "nobody answered in time",
  });
  await silent.stop();
  expect(await ask(silent.url)).toMatchObject({
    option: null,
    reason: expect.stringContaining("ECONNREFUSED"),
  });
});

it("has no answer of a bridge that goes away while it is asked", async () => {
  const bridge = await serveBridge([(response) => response.destroy()]);
  const answer = await ask(bridge.url, { timeoutMs: 300 });
  expect(answer).toMatchObject({ option: null, reason: expect.stringContaining("could not be asked") });
});

it("is called off at once", async () => {
  const leave = new AbortController();
  const bridge = await serveBridge([() => leave.abort()]);
  const answer = await ask(bridge.url, { timeoutMs: 60_000, signal: leave.signal });
  expect(answer).toMatchObject({ option: null, reason: "the question was called off" });
});

it("brings cards for who has no webhook", async () => {
  const bridge = await serveBridge([], (response, call) =>
    reply(response, call.body["title"] === "Test of the notices" ? { ok: true } : { error: "no user" }),
  );
  const notifier = makeBridgeNotifier({ url: bridge.url });
  const base = { subject: "x", phase: "1", at: "2026-01-02T03:04:05.000Z" };
  expect(await notifier.send({ ...base, kind: "test" })).toEqual({ state: "sent" });
  const failed = await notifier.send({ ...base, kind: "error", what: "w", message: "m", lines: [] });
  expect(failed).toEqual({ state: "refused", reason: "the bridge could not send it: no user" });
  expect(bridge.calls[1]?.body).toMatchObject({ type: "card", title: "Error: w", color: "red" });
});
