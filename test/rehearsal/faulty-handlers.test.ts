import { describe, expect, it } from "vitest";
import type { RehearseOptions } from "../../src/supervise/rehearse/rehearse-options.ts";
import { listFixtures, readFixtureTable } from "../support/fixture-table.ts";
import { listFailed, rehearseFixture } from "../support/short-rehearsal.ts";

const rows = readFixtureTable("handlers");

/** What a fixture needs to show its fault, or to show it soon. */
const needs: Record<string, Pick<Partial<RehearseOptions>, "budgetMs" | "payload" | "limits">> = {
  "never_ready.py": { limits: { loadMs: 4_000 } },
  "no_actions.py": { payload: "openpi" },
  "slow_at_the_end.py": { limits: { drainMs: 1_500 } },
  "slow.py": { budgetMs: 100, limits: { steadyLeast: 2, steadyMost: 2 } },
  "keeps_everything.py": { limits: { pictures: "real", steadyLeast: 60, steadyMost: 60, lookMs: 20 } },
};

it("the table names every file", () => {
  expect(rows.map(({ file }) => file).sort()).toEqual(listFixtures("handlers", ["moving.py", "packing.py"]));
});

describe.concurrent.each(rows)("$file", ({ file, check, isSoft }) => {
  it(`fails ${check ?? "nothing"}`, async ({ expect }) => {
    const { checks, passed } = await rehearseFixture({ handler: file }, needs[file]);
    const hard = listFailed(checks);
    const seen = JSON.stringify(checks.filter(({ ok }) => ok === false));
    expect(hard, seen).toEqual(isSoft || !check ? [] : [check]);
    if (isSoft) expect(listFailed(checks, "soft"), seen).toContain(check);
    if (!check) expect(checks.filter(({ ok, level }) => ok !== true && level === "hard")).toEqual([]);
    expect(passed).toBe(hard.length === 0);
  });
});
