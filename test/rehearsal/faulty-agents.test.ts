import { describe, expect, it } from "vitest";
import type { RehearseOptions } from "../../src/supervise/rehearse/rehearse-options.ts";
import { listFixtures, readFixtureTable } from "../support/fixture-table.ts";
import { listFailed, rehearseFixture } from "../support/short-rehearsal.ts";

const rows = readFixtureTable("agents");

/** What a fixture needs to show its fault, or to show it soon. */
const needs: Record<string, Pick<Partial<RehearseOptions>, "agents" | "limits">> = {
  "one-id.mjs": { agents: 2, limits: { loadMs: 3_000 } },
  "never-ready.mjs": { limits: { loadMs: 2_000 } },
  "skips-equal.mjs": { limits: { replyMs: 2_000 } },
  "fresh-id.mjs": { limits: { windowMs: 2_000 } },
  "waits-for-warmup.mjs": { limits: { resumeMs: 1_000 } },
};

it("the table names every file", () => {
  expect(rows.map(({ file }) => file).sort()).toEqual(listFixtures("agents", ["agent.mjs"]));
});

describe.concurrent.each(rows)("$file", ({ file, check, isSoft }) => {
  it(`fails ${check ?? "nothing"}`, async ({ expect }) => {
    const { checks, passed } = await rehearseFixture({ agent: file }, needs[file]);
    const hard = listFailed(checks);
    expect(hard, JSON.stringify(checks.filter(({ ok }) => ok === false))).toEqual(
      isSoft || !check ? [] : [check],
    );
    if (isSoft) expect(listFailed(checks, "soft")).toEqual([check]);
    if (!check) expect(checks.filter(({ ok, level }) => ok !== true && level === "hard")).toEqual([]);
    expect(passed).toBe(hard.length === 0);
  });
});
