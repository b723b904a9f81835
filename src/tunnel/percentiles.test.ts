import { expect, test } from "vitest";
import { TimeCounter } from "./percentiles.ts";

test("percentiles are told within two in a hundred, whatever the size", () => {
  for (const scale of [0.01, 1, 1000]) {
    const counter = new TimeCounter();
    for (let ms = 1; ms <= 1000; ms += 1) counter.add(ms * scale);
    const { p50, p95, p99 } = counter.read() ?? { p50: 0, p95: 0, p99: 0 };
    for (const [told, real] of [
      [p50, 500],
      [p95, 950],
      [p99, 990],
    ] as const)
      expect(Math.abs(told / (real * scale) - 1)).toBeLessThan(0.02);
  }
});

test("no time is longer than the longest, and odd ones break nothing", () => {
  const counter = new TimeCounter();
  expect(counter.read()).toBeNull();
  counter.add(0);
  expect(counter.read()).toEqual({ p50: 0, p95: 0, p99: 0, max: 0 });
  for (let i = 0; i < 99; i += 1) counter.add(60_000);
  expect(counter.read()).toMatchObject({ p99: 60_000 });
  counter.add(-1);
  counter.add(1e12);
  expect(counter.read()).toMatchObject({ max: 1e12 });
  expect(counter.count).toBe(102);
});
