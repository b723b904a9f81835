import { createServer } from "node:http";
import { describeFault } from "../../base/error.ts";
import { makeApi } from "../api/make-api.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { TUNNEL_PATH } from "../dial-request.ts";
import { GatewayRequest } from "../gateway-request.ts";
import { listen } from "../listen.ts";
import { favourSmallHeap } from "../operations/favour-small-heap.ts";
import { openWorkerSeats } from "../simulators/worker-seats.ts";
import { ChallengeJobs } from "./challenge-jobs.ts";
import type { Challenge, ChallengeOptions } from "./challenge-options.ts";
import { dismissAgents } from "./dismiss-agents.ts";
import { startTicks } from "./keep-time.ts";
import { closeServer, findUrl, listenForPolicies, routeUpgrade } from "./listeners.ts";
import { makeApiHost } from "./make-api-host.ts";
import { makeOutsideDoor } from "./make-outside-door.ts";
import { openDesk } from "./open-desk.ts";
import { reconcile } from "./reconcile.ts";
import { serveOperations } from "./serve-operations.ts";
import { Undo } from "./undo.ts";

/** So long at most every agent waits where another process holds the database; what could not be written is tried again. */
const BUSY_WAIT_MS = 250;

/**
 * Hosts a challenge: it listens when this resolves, and has taken up what an earlier gateway on its data folder left.
 * @throws SortieError `gateway_running`, `port_taken`, `listen_failed`, `recordings_unusable`, and what `openRecords` throws
 */
export async function startChallenge(
  config: GatewayConfig,
  options: ChallengeOptions = {},
): Promise<Challenge> {
  favourSmallHeap();
  const undo = new Undo();
  try {
    return await start(config, options, undo);
  } catch (fault) {
    await undo.run().catch(() => undefined); // why it could not start is what counts
    throw fault;
  }
}

async function start(config: GatewayConfig, options: ChallengeOptions, undo: Undo): Promise<Challenge> {
  const desk = openDesk(config, options, undo);
  const { side, ledger, records, report } = desk;
  const tell = (type: "server_fault" | "simulator_fault") => (fault: unknown) =>
    report("", "", { type, why: describeFault(fault) });
  const jobs = new ChallengeJobs(desk);
  const workers = openWorkerSeats(config.boards, config.simulators.workers, tell("simulator_fault"));
  undo.add(() => workers.close());
  const policyDoor = makeOutsideDoor(desk, jobs, options);
  undo.add(() => policyDoor.close());
  const policyServers = await listenForPolicies(config, policyDoor, tell("server_fault"));
  for (const server of Object.values(policyServers)) undo.add(() => closeServer(server));

  const server = createServer({ IncomingMessage: GatewayRequest });
  const findTunnelUrl = () => config.publicUrl ?? `${findUrl(server, "ws")}${TUNNEL_PATH}`;
  const api = await makeApi(makeApiHost(desk, jobs, { policyDoor, findTunnelUrl, options }));
  undo.add(() => api.close());
  server.on("request", (request, response) => {
    if (!serveOperations(request, response, desk, jobs)) api.handle(request, response);
  });
  server.on("upgrade", (request, socket, head) =>
    routeUpgrade({ tunnel: side.door, policy: policyDoor }, request, socket, head),
  );
  reconcile(desk, jobs);
  for (const seat of workers.seats) side.host.scheduler.offerSeat(seat);
  await listen(server, config.listen, tell("server_fault"));
  undo.add(() => closeServer(server));
  // A server waits for the sockets that came through its upgrades.
  undo.add(() => Promise.all([policyDoor.close(), side.close()]));
  side.start();
  records.limitWait(BUSY_WAIT_MS);
  const stopTicks = startTicks(desk, jobs);
  undo.add(stopTicks);

  let stopped: Promise<void> | undefined;
  return {
    apiUrl: findUrl(server, "http"),
    tunnelUrl: findTunnelUrl(),
    policyUrls: {
      openpi: policyServers.openpi && findUrl(policyServers.openpi, "ws"),
      corobot: policyServers.corobot && findUrl(policyServers.corobot, "ws"),
    },
    stop(graceMs) {
      stopped ??= leave(graceMs);
      return stopped;
    },
  };

  /** What is still played after the grace stays open on record, for the next gateway: nothing more is written of it. */
  async function leave(graceMs: number) {
    side.host.scheduler.pause();
    side.door.leave();
    policyDoor.leave();
    await jobs.waitUntilNonePlays(graceMs);
    stopTicks();
    ledger.close();
    await dismissAgents(side);
    await undo.run();
  }
}
