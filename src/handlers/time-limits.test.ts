import { expect, it } from "vitest";
import { ask, useHandlers } from "../../test/support/handlers.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { type Clock, systemClock } from "../base/clock.ts";

const { start, write } = useHandlers(useTempFolder());

const DAY_MS = 86_400_000;

/** The system's clock, except that days pass when they are told to. */
function makeClock() {
  const passDays: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) =>
      ms < DAY_MS ? systemClock.sleep(ms, signal) : new Promise((wake) => passDays.push(wake)),
  };
  return { clock, passDays };
}

const HANDLERS = [
  ["policy.py:handle", "import time\ndef load(): time.sleep(600)\ndef handle(s, f): return f\n"],
  ["policy.mjs", "export const load = () => new Promise(() => 0);\nexport const handle = (s, f) => f;"],
] as const;

it.each(HANDLERS)("a limit of months for the load is no limit of a moment: %s", async (spec, text) => {
  write(spec.split(":")[0] as string, text.replaceAll(/600|new Promise\(\(\) => 0\)/g, "0"));
  const handler = await start(spec, { loadTimeoutMs: 30 * DAY_MS });
  await handler.load();
  expect(await ask(handler)).toBe("?");
});

it.each(HANDLERS)("a load is too slow by the clock that was given: %s", async (spec, text) => {
  write(spec.split(":")[0] as string, text);
  const { clock, passDays } = makeClock();
  const handler = await start(spec, { loadTimeoutMs: 30 * DAY_MS, clock });
  const loading = handler.load().catch((error: unknown) => error);
  for (const pass of passDays) pass();
  expect(await loading).toMatchObject({
    code: "handler_slow",
    message: `The handler ${spec} was not loaded within 30 d 0 h.`,
  });
});
