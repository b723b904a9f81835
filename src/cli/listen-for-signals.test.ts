import { expect, it, onTestFinished } from "vitest";
import { listenForSignals } from "./listen-for-signals.ts";

const send = (name: NodeJS.Signals) => process.emit(name, name);
const listen = () => {
  const signals = listenForSignals();
  onTestFinished(signals.end);
  return signals;
};

it("answers for a signal once, whether it comes before the call or after", () => {
  const signals = listen();
  send("SIGTERM");
  expect(signals.next()).toMatchObject({ aborted: true, reason: "SIGTERM" });
  const second = signals.next();
  expect(second.aborted).toBe(false);
  expect(signals.next()).toBe(second);
  send("SIGINT");
  expect(second.reason).toBe("SIGINT");
  expect(signals.next().aborted).toBe(false);
});

it("takes what follows right behind a Ctrl-C for the same one", () => {
  const signals = listen();
  const first = signals.next();
  send("SIGINT");
  send("SIGINT");
  expect(first.aborted).toBe(true);
  expect(signals.next().aborted).toBe(false);
});

it("tells at once of what comes while something is done that is not cut", async () => {
  const signals = listen();
  const told: string[] = [];
  const work = Promise.resolve("done").finally(() => send("SIGTERM"));
  expect(await signals.during(work, () => told.push("later"))).toBe("done");
  send("SIGTERM");
  expect(told).toEqual(["later"]);
  expect(signals.next().reason).toBe("SIGTERM");
});
