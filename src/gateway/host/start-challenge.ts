import { createServer } from "node:http";
import { systemClock } from "../../base/clock.ts";
import { describeFault } from "../../base/error.ts";
import { makeApi } from "../api/make-api.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { TUNNEL_PATH } from "../dial-request.ts";
import { GatewayRequest } from "../gateway-request.ts";
import type { JobHost } from "../job-parts.ts";
import { listen } from "../listen.ts";
import { favourSmallHeap } from "../operations/favour-small-heap.ts";
import { openLog } from "../operations/log.ts";
import { makeMetrics } from "../operations/metrics.ts";
import { openRecorder } from "../recording/recorder.ts";
import { openRecords } from "../records/open-records.ts";
import { loadSigningKey } from "../records/settings.ts";
import { openWorkerSeats } from "../simulators/worker-seats.ts";
import { makeTunnelSide } from "../tunnel-side.ts";
import { AgentBook } from "./agent-book.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import { ChallengeJobs } from "./challenge-jobs.ts";
import type { Challenge, ChallengeOptions } from "./challenge-options.ts";
import { countLive } from "./count-live.ts";
import { dismissAgents } from "./dismiss-agents.ts";
import { findLoginOwner } from "./find-login-owner.ts";
import { startTicks } from "./keep-time.ts";
import { Ledger } from "./ledger.ts";
import { closeServer, findUrl, listenForPolicies, routeUpgrade } from "./listeners.ts";
import { makeApiHost } from "./make-api-host.ts";
import { makeOutsideDoor } from "./make-outside-door.ts";
import { reconcile } from "./reconcile.ts";
import { serveOperations } from "./serve-operations.ts";
import { takeDataFolder } from "./take-data-folder.ts";
import { Undo } from "./undo.ts";

/** How long what is still to be written may take once everything else has ended. */
const LAST_WRITES_MS = 5_000;

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
  const { clock = systemClock, onEvent, onLog } = options;
  const log = onLog && openLog({ stream: { write: (line) => onLog(line.trimEnd()) } });
  const observers = [log?.observe, onEvent].filter((observe) => observe !== undefined);
  const report: JobHost["report"] = (jobUuid, agentId, event) => {
    const whole = { ...event, at: clock.now(), monotonicMs: clock.monotonicMs(), jobUuid, agentId };
    for (const observe of observers) observe(whole);
  };
  const tellFault = (fault: unknown) => report("", "", { type: "server_fault", why: describeFault(fault) });

  const lock = takeDataFolder(config.dataFolder);
  undo.add(() => lock.release());
  const records = openRecords(config.dataFolder);
  undo.add(() => records.close());
  const signingKey = loadSigningKey(records);
  const recorder =
    config.recordings &&
    openRecorder(config.recordings, clock, (fault) =>
      report("", "", { type: "recording_fault", why: describeFault(fault) }),
    );
  undo.add(() => recorder?.close(LAST_WRITES_MS));
  const side = makeTunnelSide({
    ...{ flags: config.flags, timers: config.timers, clock, report },
    findOwner: (token) => findLoginOwner(records, signingKey, token, clock.now()),
  });
  undo.add(() => side.close());
  const metrics = makeMetrics(countLive(side, recorder), clock);
  observers.push(metrics.observe);
  const ledger = new Ledger((why) => report("", "", { type: "store_fault", why }));
  const book = new AgentBook(records);
  const desk: ChallengeDesk = {
    ...{ config, records, ledger, clock, side, book, recorder, metrics, report },
    pulse: { wroteAtMs: clock.monotonicMs() },
  };
  const jobs = new ChallengeJobs(desk);
  const workers = openWorkerSeats(config.boards, config.simulators.workers, (fault) =>
    report("", "", { type: "simulator_fault", why: describeFault(fault) }),
  );
  undo.add(() => workers.close());
  const policyDoor = makeOutsideDoor(desk, jobs, options);
  undo.add(() => policyDoor.close());
  const policyServers = await listenForPolicies(config, policyDoor, tellFault);
  for (const server of Object.values(policyServers)) undo.add(() => closeServer(server));

  const server = createServer({ IncomingMessage: GatewayRequest });
  const findTunnelUrl = () => config.publicUrl ?? `${findUrl(server, "ws")}${TUNNEL_PATH}`;
  const api = await makeApi(makeApiHost(desk, jobs, { signingKey, policyDoor, findTunnelUrl, options }));
  undo.add(() => api.close());
  server.on("request", (request, response) => {
    if (!serveOperations(request, response, desk, metrics)) api.handle(request, response);
  });
  server.on("upgrade", (request, socket, head) =>
    routeUpgrade({ tunnel: side.door, policy: policyDoor }, request, socket, head),
  );
  reconcile(desk, jobs);
  for (const seat of workers.seats) side.host.scheduler.offerSeat(seat);
  await listen(server, config.listen, tellFault);
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
