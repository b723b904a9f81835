import { describe, expect, it, vi } from "vitest";
import { SortieError } from "../base/error.ts";
import { CallSlot } from "./call-slot.ts";

const send = () => undefined;
const broken = new SortieError("handler_died", { when: "in handle", end: "it wrote nonsense" });
const isSettled = (promise: Promise<unknown>) =>
  Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    new Promise((resolve) => setImmediate(resolve, false)),
  ]);

describe("a worker's call", () => {
  it("is sent and answered, one after another", async () => {
    const slot = new CallSlot<string>();
    const sent = vi.fn();
    expect(slot.activity).toBe("while it was imported");
    const first = slot.ask("in load", sent);
    expect([sent.mock.calls.length, slot.activity]).toEqual([1, "in load"]);
    slot.answer("loaded");
    expect([await first, slot.activity]).toEqual(["loaded", "while it was idle"]);
    const second = slot.ask("in handle", sent);
    slot.answer("reply");
    slot.answer("another, unasked");
    expect(await second).toBe("reply");
  });

  it("is refused while another is open, which goes on", async () => {
    const slot = new CallSlot<string>();
    const load = slot.ask("in load", send);
    const sent = vi.fn();
    await expect(slot.ask("in handle", sent)).rejects.toMatchObject({
      code: "internal",
      details: { reason: "the handler is still in load" },
    });
    expect(sent).not.toHaveBeenCalled();
    slot.answer("loaded");
    expect(await load).toBe("loaded");
  });

  it("that cannot be sent fails alone", async () => {
    const slot = new CallSlot<string>();
    const refused = new SortieError("worker_frame_too_long", { bytes: "66 MiB", most: "65 MiB" });
    await expect(
      slot.ask("in handle", () => {
        throw refused;
      }),
    ).rejects.toBe(refused);
    const next = slot.ask("in handle", send);
    slot.answer("reply");
    expect(await next).toBe("reply");
  });
});

describe("a worker's end", () => {
  it("by itself rejects the open call and those after it, and is told, with what it was at", async () => {
    const slot = new CallSlot<string>();
    const open = slot.ask("in handle", send);
    slot.close("it exited with code 3");
    const expected = { code: "handler_died", details: { when: "in handle", end: "it exited with code 3" } };
    await expect(open).rejects.toMatchObject(expected);
    await expect(slot.ask("in load", send)).rejects.toMatchObject(expected);
    expect(await slot.died).toMatchObject(expected);
    slot.stop();
    await expect(slot.ask("in load", send)).rejects.toMatchObject(expected);
  });

  it("that was found rejects calls at once, and is told when it is gone", async () => {
    const slot = new CallSlot<string>();
    const open = slot.ask("in handle", send);
    slot.end(broken);
    await expect(open).rejects.toBe(broken);
    await expect(slot.ask("in handle", send)).rejects.toBe(broken);
    expect(slot.activity).toBeUndefined();
    expect(await isSettled(slot.died)).toBe(false);
    slot.close("signal SIGKILL ended it");
    expect(await slot.died).toBe(broken);
  });

  it("that was asked for rejects calls, and is not told", async () => {
    const slot = new CallSlot<string>();
    const open = slot.ask("in handle", send);
    slot.stop();
    slot.stop();
    slot.answer("too late");
    slot.end(broken);
    slot.close("it exited with code 0");
    await expect(open).rejects.toMatchObject({ code: "handler_stopped" });
    await expect(slot.ask("in handle", send)).rejects.toMatchObject({ code: "handler_stopped" });
    expect(await isSettled(slot.died)).toBe(false);
  });

  it("that was asked for after it was found keeps its reason, and is not told", async () => {
    const slot = new CallSlot<string>();
    slot.end(broken);
    slot.stop();
    slot.close("signal SIGKILL ended it");
    await expect(slot.ask("in handle", send)).rejects.toBe(broken);
    expect(await isSettled(slot.died)).toBe(false);
  });
});
