import type { IncomingMessage, ServerResponse } from "node:http";
import { checkHealth, findHealthStatus, type PartHealth, probeDisk } from "../operations/health.ts";
import { isNearPeer } from "../policy-port/near-peer.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import type { ChallengeJobs } from "./challenge-jobs.ts";
import { probeRecords } from "./probe-records.ts";

/** Below this the organiser should make room. */
const LEAST_FREE_MIB = 512;

/** Until one is whole. */
const RECORDINGS_BROKEN = "recordings end early or were removed: the log says why";

/** So many jobs that wait for their board are named. */
const NAMED = 10;

/**
 * Answers what an organiser's own programs ask: `/healthz` for everybody, `/metrics` for programs on this machine. False for
 * any other request.
 */
export function serveOperations(
  request: IncomingMessage,
  response: ServerResponse,
  desk: ChallengeDesk,
  jobs: Pick<ChallengeJobs, "waits">,
): boolean {
  const path = request.url?.split("?", 1)[0];
  if (path === "/healthz") {
    const health = checkHealth({
      store: probeRecords(desk),
      ledger: () =>
        desk.ledger.waiting === 0 ? { status: "ok" } : { status: "degraded", why: "not written yet" },
      jobs: () => probeJobs(jobs),
      recordings: () =>
        desk.recorder?.isBroken ? { status: "degraded", why: RECORDINGS_BROKEN } : { status: "ok" },
      disk: probeDisk(desk.config.dataFolder, LEAST_FREE_MIB),
    });
    answer(response, findHealthStatus(health), "application/json", JSON.stringify(health));
    return true;
  }
  if (path !== "/metrics" || !isNearPeer(request)) return false;
  const { metrics } = desk;
  void metrics.text().then((text) => answer(response, 200, metrics.contentType, text));
  return true;
}

function probeJobs({ waits }: Pick<ChallengeJobs, "waits">): PartHealth {
  if (waits.size === 0) return { status: "ok" };
  const more = waits.size > NAMED ? `; and ${waits.size - NAMED} more` : "";
  return { status: "degraded", why: [...waits.values()].slice(0, NAMED).join("; ") + more };
}

function answer(response: ServerResponse, status: number, type: string, body: string) {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" });
  response.end(body);
}
