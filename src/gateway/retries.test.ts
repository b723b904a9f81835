import { expect, it } from "vitest";
import type { CaseFailure } from "./case-end.ts";
import { Retries } from "./retries.ts";

const spec = { id: 7, task: "pick", index: 0, seed: 0 };
const count = (retries: Retries, failure: CaseFailure, detail?: string) => {
  let allowed = 0;
  while (allowed < 1_000 && retries.isAllowed({ spec, failure, detail })) allowed += 1;
  return allowed;
};

it.each(["tunnel_lost", "agent_error", "timeout"] as const)("%s costs an attempt", (failure) => {
  expect(count(new Retries(3), failure)).toBe(2);
  expect(count(new Retries(3, new Map([[7, 2]])), failure)).toBe(0);
  expect(count(new Retries(undefined), failure)).toBe(0);
});

it("what the simulator did costs the contestant nothing, and yet does not go on for ever", () => {
  const retries = new Retries(1);
  expect([count(retries, "simulator_error"), count(retries, "simulator_left")]).toEqual([19, 0]);
  expect(count(new Retries(2), "agent_error")).toBe(1);
});

it("a restart of the gateway costs nothing", () => {
  expect(count(new Retries(1), "tunnel_lost", "startup reconcile")).toBe(1_000);
});
