import { expect, it } from "vitest";
import { cutToWidth, measureWidth } from "./text-width.ts";

it.each([
  ["", 0],
  ["plain, as most are", 18],
  ["grün", 4],
  ["gru\u0308n", 4],
  ["权重文件", 8],
  ["カタカナ 한글", 13],
  ["🚀 up", 5],
])("%j takes %i columns", (text, width) => {
  expect(measureWidth(text)).toBe(width);
});

it("cuts no character in two, and marks what it has cut", () => {
  expect(cutToWidth("plain", 5)).toBe("plain");
  expect(cutToWidth("plain", 4)).toBe("plai");
  expect(cutToWidth("权重文件", 5)).toBe("权重");
  expect(cutToWidth("权重文件", 7, "…")).toBe("权重文…");
  expect(cutToWidth("🚀🚀", 1)).toBe("");
});
