import { expect, test } from "vitest";
import { parseGpu, parseGpus } from "./gpu-name.ts";
import { limitTimeout } from "./modal-wish.ts";
import { estimateCost, findCheapestGpu, isOld, MODAL_PRICES, readPrices } from "./prices.ts";

test.each([
  ["a100-80gb:2", { wish: "A100-80GB:2", type: "A100-80GB", count: 2 }],
  ["H100!", { wish: "H100!", type: "H100", count: 1 }],
  ["A10G:1", { wish: "A10G", type: "A10", count: 1 }],
  ["A100", { wish: "A100", type: "A100-40GB", count: 1 }],
])("reads the GPU %s", (text, expected) => {
  expect(parseGpu(text)).toEqual(expected);
});

test.each(["H10", "V100", "H100:0", "H100:x", "", "4x A100"])("refuses the GPU %j", (text) => {
  expect(() => parseGpu(text)).toThrow(expect.objectContaining({ code: "modal_gpu_unknown" }));
});

test("takes the dearest of several GPUs for the most that a run costs", () => {
  const gpus = parseGpus("T4, H100:2");
  const { dollars, dollarsPerHour, basis } = estimateCost({ gpus, seconds: 1800 });
  expect(dollars).toBeCloseTo((2 * (0.001097 + 2 * 0.0000131 + 16 * 0.00000222) * 3600) / 2, 6);
  expect(dollarsPerHour).toBeCloseTo(2 * dollars, 6);
  expect(basis).toContain("2026-09-19");
  expect(estimateCost({ gpus: [], seconds: 3600 }).dollars).toBeCloseTo(0.222, 3);
});

test.each([
  [16, "T4"],
  [24, "L4"],
  [25, "L40S"],
  [80, "A100-80GB"],
  [100, "H200"],
  [1000, undefined],
])("the cheapest GPU with %i GiB is %s", (memoryGib, type) => {
  expect(findCheapestGpu(memoryGib)?.type).toBe(type);
});

test("says when prices are old", () => {
  expect(isOld(MODAL_PRICES, new Date("2026-12-17T00:00:00Z"))).toBe(false);
  expect(isOld(MODAL_PRICES, new Date("2026-12-19T00:00:00Z"))).toBe(true);
});

test("takes prices of a file, in dollars per hour", () => {
  const prices = readPrices("asOf: 2027-01-02\nsource: our contract\ngpus:\n  h100: 3.6\n", "prices.yaml");
  expect(prices).toMatchObject({ asOf: "2027-01-02", source: "our contract" });
  expect(prices.gpuPerSecond).toMatchObject({ H100: 0.001, T4: 0.000164 });
});

test.each([
  ["[", "flow"],
  ["- a", "no table"],
  ["asOf: soon\nsource: x\ngpus: {}", "asOf"],
  ["asOf: 2027-01-02\nsource: x\ngpus: {H100: free}", "H100"],
])("refuses the prices %j", (text, reason) => {
  expect(() => readPrices(text, "prices.yaml")).toThrow(new RegExp(reason, "i"));
});

test.each([
  [null, 300, /default of 300 s/],
  [3600, 3600, null],
  [30 * 3600, 24 * 3600 - 120, /after 24 h, 30 h were asked for/],
])("a limit of %j s is %i s", (asked, timeoutS, note) => {
  const limit = limitTimeout(asked);
  expect(limit.timeoutS).toBe(timeoutS);
  if (note === null) expect(limit.note).toBeNull();
  else expect(limit.note).toMatch(note);
});
