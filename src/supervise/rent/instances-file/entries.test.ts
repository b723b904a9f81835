import { expect, it } from "vitest";
import { changeEntry, readEntries } from "./entries.ts";

/** Others' entries with what a rewrite would lose: a large number, a number's own spelling, a key twice, odd spacing. */
const OTHERS = `[
  {"instance_id": "31", "dph":0.10, "note": "]}, \\"[", "big": 12345678901234567890, "a": 1, "a": 2 },
    {
      "instance_id": 32,
      "status": "running",
      "experiment": "exp01",
      "dph": 0.0414
    }  ,
  null
]
`;
const CHANGED = { changed: { status: "destroyed" }, added: null };

it("an entry is read leniently, and what is none is passed over", () => {
  expect(readEntries(OTHERS)).toEqual([
    { number: 31, status: null, experiment: null },
    { number: 32, status: "running", experiment: "exp01" },
  ]);
  expect(readEntries(`\uFEFF${OTHERS}`)).toHaveLength(2);
  for (const text of ["", "{}", "[1, 2", '"x"', "[[]]"]) expect(readEntries(text)).toEqual([]);
});

it("one entry is changed, and no other byte", () => {
  const after = changeEntry(OTHERS, 32, CHANGED);
  expect(after).toBe(OTHERS.replace('"running"', '"destroyed"'));
  expect(changeEntry(after ?? "", 32, CHANGED)).toBeNull();
  const line = '[{"instance_id":5,"status":"running"}, {"instance_id":6}]';
  expect(changeEntry(line, 5, CHANGED)).toBe('[{"instance_id":5,"status":"destroyed"}, {"instance_id":6}]');
});

it("an entry is added at the end where one may be, and nothing is written into what is no list", () => {
  const added = { status: "running", experiment: "digits" };
  const change = { changed: added, added };
  const after = changeEntry(OTHERS, 40, change) ?? "";
  expect(after.startsWith(OTHERS.slice(0, OTHERS.indexOf("\n]")))).toBe(true);
  expect(readEntries(after).at(-1)).toEqual({ number: 40, ...added });
  expect(JSON.parse(changeEntry("[ ]\n", 40, change) ?? "")).toEqual([{ instance_id: 40, ...added }]);
  expect(changeEntry(OTHERS, 40, CHANGED)).toBeNull();
  for (const text of ["", "{}", '{"instances": []}', "[1,"]) expect(changeEntry(text, 40, change)).toBeNull();
});
