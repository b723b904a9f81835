import { expect, it } from "vitest";
import { closeCodes } from "../wire/close-codes.ts";
import { isAwaited, ReconnectWindow } from "./reconnect-window.ts";

it("a window is over at its end, unless somebody came back", () => {
  const window = new ReconnectWindow();
  expect([window.isOpen, window.isOver(100)]).toEqual([false, false]);
  window.open(100);
  expect([window.isOpen, window.isOver(99), window.isOver(100)]).toEqual([true, false, true]);
  window.extend(50);
  expect([window.isOver(149), window.isOver(150)]).toEqual([false, true]);
  window.close();
  window.extend(50);
  expect([window.isOpen, window.isOver(1_000)]).toEqual([false, false]);
});

const lost = { state: "running", hasSession: true, isFinal: false, code: 1006 } as const;

it.each([
  ["in mid-session", lost, true],
  ["in mid-session, however the agent closed", { ...lost, code: closeCodes.done }, true],
  ["without a session", { ...lost, hasSession: false }, false],
  ["before it is ready", { ...lost, state: "warmup", hasSession: false }, false],
  ["before it has heard the drain", { ...lost, state: "draining" }, true],
  ["after it has heard the drain", { ...lost, state: "draining", isFinal: true }, false],
  ["drained, in order", { ...lost, state: "draining", code: closeCodes.done }, false],
] as const)("a pair that is lost %s", (_, link, wanted) => {
  expect(isAwaited(link)).toBe(wanted);
});
