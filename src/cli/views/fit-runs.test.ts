import { expect, it } from "vitest";
import { keepWhatFits } from "./fit-runs.ts";

it("keeps all that live, and the newest ended ones that there is room for", () => {
  const runs = (["succeeded", "running", "failed", "lost", "waiting"] as const).map((state) => ({ state }));
  const keep = (room: number) => keepWhatFits(runs, room).map((run) => run.state);
  expect(keep(9)).toHaveLength(5);
  expect(keep(4)).toEqual(["succeeded", "running", "failed", "waiting"]);
  expect(keep(1)).toEqual(["running", "waiting"]);
});
