import { expect, it } from "vitest";
import { listChecks } from "../../src/supervise/rehearse/checks/table.ts";
import { readFixtureTable } from "../support/fixture-table.ts";

const rows = [...readFixtureTable("agents"), ...readFixtureTable("handlers")];

it("every hard check has an agent or a handler that fails it", () => {
  const checks = (["g2", "openpi", "opaque"] as const).flatMap(listChecks);
  const hard = new Set(checks.filter(({ level }) => level === "hard").map(({ name }) => name));
  const failed = new Set(rows.filter(({ isSoft }) => !isSoft).map(({ check }) => check));
  expect([...hard].filter((name) => !failed.has(name))).toEqual([]);
});

it("every check of the tables is one, at its level", () => {
  const checks = (["g2", "openpi"] as const).flatMap(listChecks);
  for (const { file, check, isSoft } of rows) {
    if (check === undefined) continue;
    const level = checks.find(({ name }) => name === check)?.level;
    expect([file, check, level]).toEqual([file, check, isSoft ? "soft" : "hard"]);
  }
});
