import { expect, it } from "vitest";
import { findLastLines, findLastTraceback } from "./read-output.ts";

const first = ["Traceback (most recent call last):", '  File "a.py", line 1, in <module>', "KeyError: 'x'"];
const last = [
  "Traceback (most recent call last):",
  '  File "b.py", line 2, in load',
  "    open(path)",
  "OSError: gone",
];

it("the last traceback ends with the line that names the exception", () => {
  expect(findLastTraceback([...first, "starting again", ...last, "cleaning up", ""].join("\n"))).toEqual(
    last,
  );
  expect(findLastTraceback(last.map((line) => `[worker] ${line}`).join("\r\n"))).toHaveLength(4);
  expect(findLastTraceback([...last.slice(0, 3)].join("\n"))).toEqual(last.slice(0, 3));
  expect(findLastTraceback("no fault here\n")).toBeNull();
});

it("a traceback without end is cut in its middle", () => {
  const frames = Array.from({ length: 2_000 }, (_, index) => `  File "r.py", line ${index}, in go`);
  const found = findLastTraceback([first[0], ...frames, "RecursionError: too deep"].join("\n"));
  expect(found).toHaveLength(40);
  expect(found?.[0]).toBe(first[0]);
  expect(found?.at(-1)).toBe("RecursionError: too deep");
});

it("the last lines are those with something in them", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  expect(findLastLines(`${lines.join("\n")}\n\n \n`)).toEqual(lines.slice(10));
  expect(findLastLines("")).toEqual([]);
});
