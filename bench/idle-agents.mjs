import { measureIdle } from "./support/hosted/measure-idle.mjs";
import { reportIdle } from "./support/hosted/report-idle.mjs";

const PING_MS = 2_000;
const ROUNDS = 5;

/** What idle agents cost one hosted gateway: memory, and processor time for a round of pings; and what others notice. */
export async function run() {
  return reportIdle(await measureIdle({ pingMs: PING_MS, restRounds: ROUNDS, callsMs: PING_MS * ROUNDS }));
}
