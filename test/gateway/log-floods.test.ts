import { expect, test } from "vitest";
import type { GatewayEvent } from "../../src/gateway/gateway-event.ts";
import { openLog } from "../../src/gateway/operations/log.ts";

function openTestLog() {
  const lines: Record<string, unknown>[] = [];
  const log = openLog({ level: "debug", stream: { write: (line) => lines.push(JSON.parse(line)) } });
  const tell = (monotonicMs: number, event: object) =>
    log.observe({ at: new Date(0), jobUuid: "", agentId: "", monotonicMs, ...event } as GatewayEvent);
  return { lines, tell };
}

const peer = "203.0.113.7";
const refusedSimulator = { type: "simulator_refused", dialect: "openpi", status: 401, says: "no key" };
const floods: Record<string, (number: number) => object> = {
  "dials of one job": () => ({ type: "refused", why: "bad_token", status: 401, jobUuid: "job" }),
  "simulators of one address": (number) => ({ ...refusedSimulator, peer: `${peer}:${number}` }),
  "simulators that connect": (number) => ({
    ...{ type: "simulator_connected", dialect: "openpi", peer: `${peer}:${number}`, board: "kitchen" },
  }),
  "broken frames of one agent": () => ({ type: "malformed_frame", why: "x", jobUuid: "job", agentId: "a" }),
  "faults of one kind": () => ({ type: "store_fault", why: "disk full" }),
};

test.each(Object.entries(floods))("of %s there is a line a second, with a count of the others", (_, make) => {
  const { lines, tell } = openTestLog();
  for (let number = 0; number < 5_000; number += 1) tell(number / 2, make(number));
  expect(lines.map((line) => line["left_out"])).toEqual([undefined, 1_999, 1_999]);
});

test("what is left out when a flood ends is told with a later event", () => {
  const { lines, tell } = openTestLog();
  for (let number = 0; number < 10; number += 1)
    tell(number, { ...refusedSimulator, peer: `${peer}:${number}` });
  tell(5_000, { type: "agent_ping" });
  tell(9_000, { type: "agent_ping" });
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ msg: "simulator refused, and more like it", left_out: 9, status: 401 });
});

test("dials that name another job each time have no line each", () => {
  const { lines, tell } = openTestLog();
  for (let number = 0; number < 5_000; number += 1)
    tell(number / 5, { type: "refused", why: "bad_token", status: 401, jobUuid: `job ${number}` });
  tell(9_000, { type: "agent_ping" });
  expect(lines.length).toBeLessThan(25);
  const leftOut = lines.reduce((sum, line) => sum + ((line["left_out"] as number | undefined) ?? 0), 0);
  expect(lines.length - 1 + leftOut).toBe(5_000);
});

test("each agent and each case has its line, however many at once", () => {
  const { lines, tell } = openTestLog();
  for (let number = 0; number < 500; number += 1) {
    tell(0, { type: "dialed", resumed: false, jobUuid: "job", agentId: `agent ${number}` });
    const spec = { id: number, task: "t", index: 0, seed: 0 };
    tell(0, { type: "case_ended", sessionId: "s", spec, failure: "timeout", retried: false });
  }
  expect(lines).toHaveLength(1_000);
});

test("what others make up is cut after 200 characters", () => {
  const { lines, tell } = openTestLog();
  const long = "x".repeat(8_000);
  tell(0, { type: "refused", why: "bad_token", status: 401, jobUuid: long, agentId: long });
  tell(0, { ...refusedSimulator, peer, says: long });
  tell(0, { type: "link_closed", code: 1000, reason: long, windowOpen: false });
  for (const line of lines)
    for (const value of Object.values(line)) expect(String(value).length).toBeLessThanOrEqual(201);
});
