import { describe, expect, it } from "vitest";
import {
  isEachValue,
  isNumber,
  isOneOf,
  isOrAbsent,
  isOrNull,
  isShape,
  isText,
  isTextList,
  parseJson,
} from "./shape.ts";

const isPoint = isShape<{ name: string | null; x: number; tags?: string[]; kind: "a" | "b" }>({
  name: isOrNull(isText),
  x: isNumber,
  tags: isOrAbsent(isTextList),
  kind: isOneOf("a", "b"),
});
const point = { name: null, x: 1, kind: "a" };

describe("a shape", () => {
  it.each([point, { ...point, name: "n", tags: ["t"] }, { ...point, more: 1 }])("fits %j", (value) => {
    expect(isPoint(value)).toBe(true);
  });

  it.each([
    null,
    undefined,
    1,
    "text",
    [],
    {},
    { ...point, x: "1" },
    { ...point, tags: [1] },
    { ...point, kind: "c" },
  ])("does not fit %j", (value) => {
    expect(isPoint(value)).toBe(false);
  });

  it("may be that of each value", () => {
    expect([{}, { a: "b" }, { a: 1 }, ["b"]].map(isEachValue<string>(isText))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

it("text that is no JSON, or other JSON, is null", () => {
  expect(["{", "", "{}", JSON.stringify(point)].map((text) => parseJson(text, isPoint))).toEqual([
    null,
    null,
    null,
    point,
  ]);
});
