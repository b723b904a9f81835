import { expect, it } from "vitest";
import { wrapRows } from "./wrap-rows.ts";

it("breaks a value below where it began, and leaves lists and logs alone", () => {
  const lines = [
    "mine is running on a host with a name.",
    "  log   /a/b c d e f g h i j k l m n o p q r s",
    "    | as it came, however long it may be",
  ];
  expect(wrapRows(lines, 38, 8)).toEqual([
    "mine is running on a host with a name.",
    "  log   /a/b c d e f g h i j k l m n o",
    "        p q r s",
    "    | as it came, however long it may be",
  ]);
  expect(wrapRows(lines, Number.POSITIVE_INFINITY, 8)).toEqual(lines);
});
