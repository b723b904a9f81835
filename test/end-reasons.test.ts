import { expect, test } from "vitest";
import { diagnosisTable } from "../src/diagnosis/table.ts";
import { END_REASONS } from "../src/runs/states.ts";

test("every end reason of a run, and no other, has a row in the table of diagnoses", () => {
  const reasons = diagnosisTable.flatMap(({ when, proves = "exited" }) => [...(when.reasons ?? []), proves]);
  expect([...new Set(reasons)].sort()).toEqual([...END_REASONS].sort());
});
