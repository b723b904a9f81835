import { describe, expect, it } from "vitest";
import { type JobState, readStatus } from "./job-status.ts";

const all: [number | string | null, string | null, JobState][] = [
  [0, "pending", "waiting_for_agent"],
  [0, "queued", "waiting_for_slot"],
  [1, "queued", "waiting_for_slot"],
  [1, "evaluating", "running"],
  [1, "inference_disconnected", "agent_lost"],
  [2, "completed", "done"],
  [3, "completed", "cancelled"],
  [4, "failed", "failed"],
  [5, null, "stopping"],
  [5, "evaluating", "stopping"],
  [0, null, "waiting_for_agent"],
  [1, null, "running"],
  [2, null, "done"],
  ["2", null, "done"],
  [null, "completed", "done"],
  [null, "evaluating", "running"],
  ["Pending", null, "waiting_for_agent"],
  ["Queued", null, "waiting_for_slot"],
  ["Running", null, "running"],
  ["Finished", null, "done"],
  ["Cancelled", null, "cancelled"],
  ["Failed", null, "failed"],
  ["FINISHED ", null, "done"],
  [2, "failed", "failed"],
  [4, "completed", "failed"],
  [1, "completed", "done"],
  ["completed", null, "done"],
  ["EVALUATING", null, "running"],
  ["inference_disconnected", null, "agent_lost"],
  [null, "Finished", "done"],
  [1, "Cancelled", "cancelled"],
  [null, "Running", "running"],
];

describe("the state of a job", () => {
  it.each(all)("of status %j and %j is %s", (status, detailedStatus, state) => {
    const isTerminal = ["done", "cancelled", "failed"].includes(state);
    expect(readStatus({ status, detailedStatus })).toMatchObject({ state, isTerminal });
  });

  it.each([
    [6, null],
    [-1, null],
    ["Succeeded", null],
    ["constructor", "__proto__"],
    [1, "hibernating"],
    [null, null],
    ["", ""],
  ])("of status %j and %j is not known, and so not its end", (status, detailedStatus) => {
    const read = readStatus({ status, detailedStatus, progress: { done: 2, total: 2 } });
    expect(read).toMatchObject({ state: "unknown", isTerminal: false });
  });

  it("is said in words, with the cases", () => {
    const progress = { done: 3, total: 10 };
    expect(readStatus({ status: 4, detailedStatus: "failed", progress }).said).toBe(
      "failed, 3 of 10 cases done",
    );
    expect(readStatus({ status: 6, detailedStatus: "odd" }).said).toContain("(6, odd)");
  });
});
