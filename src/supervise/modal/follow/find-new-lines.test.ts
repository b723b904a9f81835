import { expect, test } from "vitest";
import { findNewLines } from "./find-new-lines.ts";

test.each([
  ["what came while nobody looked", "a b c lost!", "a b c d e", "d e"],
  ["nothing", "a b c lost!", "b c", ""],
  ["all where nothing is known", "lost!", "a b", "a b"],
  ["all where so much came that what is known is gone", "a b c", "x y", "x y"],
  ["what follows the last of equal lines", "1 1 1", "1 1 1 2", "2"],
])("finds %s", (_, seen, log, news) => {
  const split = (text: string) => text.split(" ").filter((line) => line !== "");
  expect(findNewLines(split(seen), split(log))).toEqual(split(news));
});
