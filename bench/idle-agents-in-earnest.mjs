import { measureIdle } from "./support/hosted/measure-idle.mjs";
import { reportIdle } from "./support/hosted/report-idle.mjs";

const PING_MS = 20_000;
const REST_ROUNDS = 6;
const CALLS_MS = 8 * 60_000;
const MOST = { eachKB: 15, roundMs: 1_000, p99Ms: 5 };

/** Scenario T32 as written: 10,000 agents for 10 minutes with real pings, two of those minutes at rest. */
export async function run() {
  return reportIdle(await measureIdle({ pingMs: PING_MS, restRounds: REST_ROUNDS, callsMs: CALLS_MS }), MOST);
}
