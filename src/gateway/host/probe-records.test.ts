import { expect, it, onTestFinished } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { checkHealth } from "../operations/health.ts";
import { openRecords } from "../records/open-records.ts";
import type { Pulse } from "./challenge-desk.ts";
import { probeRecords } from "./probe-records.ts";

const temp = useTempFolder();

function makeProbe() {
  const records = openRecords(temp());
  onTestFinished(() => records.close());
  let nowMs = 1_000_000;
  const pulse: Pulse = { wroteAtMs: nowMs, misplaced: undefined };
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const probe = probeRecords({ records, clock, pulse });
  const wait = (ms: number) => (nowMs += ms);
  return { records, probe, wait, pulse };
}

it("is worse the longer nothing could be written", () => {
  const { probe, wait } = makeProbe();
  expect(probe()).toEqual({ status: "ok" });
  wait(6_000);
  expect(probe()).toEqual({ status: "degraded", why: "nothing could be written for 6 s" });
  wait(30_000);
  expect(probe()).toMatchObject({ status: "failing" });
});

it("asks for no lock: it is answered while another process changes the database", () => {
  const { probe } = makeProbe();
  const other = openRecords(temp());
  onTestFinished(() => other.close());
  other.together(() => expect(probe()).toEqual({ status: "ok" }));
});

it("fails where the database is not in its place any more", () => {
  const { probe, pulse } = makeProbe();
  pulse.misplaced = "gateway.db was removed";
  expect(probe()).toEqual({ status: "failing", why: "gateway.db was removed" });
});

it("fails where the database cannot be read", () => {
  const { probe, records } = makeProbe();
  records.close();
  expect(checkHealth({ store: probe }).status).toBe("failing");
});
