import { expect, test } from "vitest";
import { Delivery } from "./delivery.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const [first, second] = [bytes("observation 1"), bytes("observation 2")];

/** A session whose first observation was answered, and its reply handed to a socket. */
function answered(fate: "kept" | "passed" | "proven") {
  const delivery = new Delivery();
  expect(delivery.take(first)).toBe("new");
  delivery.answer(bytes("reply 1"));
  if (fate !== "kept") delivery.pass();
  if (fate === "proven") delivery.prove();
  expect(delivery.lastFate).toBe(fate);
  return delivery;
}

test("while the link holds, every observation is new, and shows that the reply before it arrived", () => {
  const delivery = answered("passed");
  expect(delivery.take(first)).toBe("new");
  expect(delivery.lastFate).toBe("proven");
});

test("a reply that no socket got goes out at once; its observation may come again", () => {
  const delivery = answered("kept");
  expect(delivery.startLink()).toBe("send");
  delivery.pass();
  expect(delivery.resume({ replies: 0, resend: true })).toBe("nothing");
  expect(delivery.take(first.slice())).toBe("repeat");
  expect(delivery.take(first)).toBe("new");
});

test("the count of the gateway decides over a reply that was passed", () => {
  const lost = answered("passed");
  expect(lost.startLink()).toBe("wait");
  expect(lost.resume({ replies: 0, resend: true })).toBe("send");
  lost.pass();
  expect(lost.take(first)).toBe("repeat");

  const there = answered("passed");
  there.startLink();
  expect(there.resume({ replies: 1, resend: true })).toBe("nothing");
  expect(there.lastFate).toBe("proven");
  expect(there.take(first)).toBe("new");
});

test("the count also decides over a reply that a pong had proven", () => {
  const delivery = answered("proven");
  expect(delivery.startLink()).toBe("nothing");
  expect(delivery.resume({ replies: 0 })).toBe("send");
});

test("without a word, a repeat shows that the reply was lost, and anything else that it arrived", () => {
  const lost = answered("passed");
  lost.startLink();
  expect(lost.take(first.slice())).toBe("send");
  lost.pass();
  expect(lost.judgeSilence()).toBe("nothing");
  expect(lost.take(first)).toBe("new");

  const there = answered("passed");
  there.startLink();
  expect(there.take(second)).toBe("new");
  expect(there.lastFate).toBe("proven");
  expect(there.judgeSilence()).toBe("nothing");
});

test("without a word and without an observation, the reply is sent after the wait", () => {
  const delivery = answered("passed");
  delivery.startLink();
  expect(delivery.judgeSilence()).toBe("send");
  delivery.pass();
  expect(delivery.judgeSilence()).toBe("nothing");
  expect(delivery.take(first)).toBe("repeat");
});

test("a proven reply is not sent again: what comes is new", () => {
  const delivery = answered("proven");
  expect(delivery.startLink()).toBe("nothing");
  expect(delivery.take(first)).toBe("new");
});

test("an observation in the handler is not taken twice", () => {
  const delivery = new Delivery();
  delivery.take(first);
  expect(delivery.startLink()).toBe("nothing");
  expect(delivery.resume({ replies: 0, resend: true })).toBe("nothing");
  expect(delivery.take(first.slice())).toBe("repeat");
  expect(delivery.openCount).toBe(1);
  delivery.answer(bytes("reply 1"));
  expect(delivery.take(first)).toBe("new");
});

test("a gateway that says that nothing follows is believed", () => {
  const delivery = new Delivery();
  delivery.take(first);
  delivery.startLink();
  delivery.resume({ replies: 0, resend: false });
  expect(delivery.take(first)).toBe("new");
});

test("a refused link got nothing", () => {
  const delivery = answered("kept");
  delivery.startLink();
  delivery.pass();
  delivery.dropLink();
  expect(delivery.lastFate).toBe("kept");
  expect(delivery.startLink()).toBe("send");
});

test("a reply that two counts miss, or that is behind an open observation, is not sent", () => {
  const delivery = answered("passed");
  delivery.take(second);
  delivery.answer(bytes("reply 2"));
  delivery.pass();
  delivery.startLink();
  expect(delivery.resume({ replies: 0, resend: true })).toBe("nothing");
  expect(delivery.take(second)).toBe("new");

  const behind = answered("passed");
  behind.take(second);
  behind.startLink();
  expect(behind.resume({ replies: 0, resend: true })).toBe("nothing");
});

test("a session begun by an earlier process goes on from its count", () => {
  const delivery = new Delivery(7);
  delivery.take(first);
  delivery.answer(bytes("reply 8"));
  delivery.pass();
  delivery.startLink();
  expect(delivery.resume({ replies: 7, resend: false })).toBe("send");
});
