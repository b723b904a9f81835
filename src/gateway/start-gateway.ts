import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../base/clock.ts";
import { describeFault, SortieError } from "../base/error.ts";
import { keepFrameMemory } from "../wire/frame-memory.ts";
import { TUNNEL_PATH } from "./dial-request.ts";
import { formatAddress } from "./format-address.ts";
import type { ServerReport, TunnelReport } from "./gateway-event.ts";
import {
  type Gateway,
  type GatewayOptions,
  gatewayFlags,
  gatewayTimers,
  type Job,
  type JobSpec,
} from "./gateway-options.ts";
import { type JobHost, JobRun } from "./job-run.ts";
import { JobTable } from "./job-table.ts";
import { makeJobToken } from "./job-token.ts";
import { listen } from "./listen.ts";
import { makeJob } from "./make-job.ts";
import { startSweep } from "./sweep.ts";
import { makeTunnelDoor } from "./tunnel-door.ts";

const LOOPBACK = "127.0.0.1";

/** Starts a gateway that listens when this resolves. SortieError `port_taken`, `listen_failed`. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { host = LOOPBACK, port = 0, clock = systemClock, onEvent } = options;
  const jobs = new JobTable();
  const tell = (jobUuid: string, agentId: string, event: TunnelReport | ServerReport) =>
    onEvent?.({ ...event, at: clock.now(), monotonicMs: clock.monotonicMs(), jobUuid, agentId });
  const jobHost: JobHost = {
    flags: { ...gatewayFlags, ...options.flags },
    timers: { ...gatewayTimers, ...options.timers },
    clock,
    report: tell,
  };
  keepFrameMemory();
  const door = makeTunnelDoor(jobs, jobHost);
  const server = createServer(answerNoPage).on("upgrade", door.receive);
  await listen(server, { host, port }, (fault) =>
    tell("", "", { type: "server_fault", why: describeFault(fault) }),
  );
  const stopSweep = startSweep(jobs, jobHost);
  let stopped: Promise<void> | undefined;
  return {
    tunnelUrl: makeTunnelUrl(server),
    addJob: (spec) => {
      if (stopped !== undefined) throw new SortieError("gateway_stopped");
      return addJob(jobs, spec, jobHost);
    },
    stop: (graceMs) => {
      stopped ??= stop(graceMs);
      return stopped;
    },
  };

  async function stop(graceMs: number) {
    for (const job of jobs.live) job.drain();
    await waitForEnds(jobs, graceMs, jobHost);
    for (const job of jobs.live) job.giveUp("stopping", "the gateway is stopping");
    stopSweep();
    door.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Everything but a tunnel: the pages of the challenge API are not served here yet. */
function answerNoPage(_request: IncomingMessage, response: ServerResponse) {
  response.writeHead(404, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ status: "error", error: `there is only ${TUNNEL_PATH}, for WebSockets` }));
}

function makeTunnelUrl(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `ws://${formatAddress(address, port)}${TUNNEL_PATH}`;
}

function addJob(jobs: JobTable, spec: JobSpec, host: JobHost): Job {
  const token = makeJobToken();
  const run = new JobRun(spec.uuid ?? randomUUID(), token, spec, host);
  jobs.add(run);
  return makeJob(run, token);
}

/** Waits until every job has ended, `graceMs` at most. */
async function waitForEnds(jobs: JobTable, graceMs: number, { clock }: JobHost) {
  const done = new AbortController();
  const ended = Promise.all(Array.from(jobs.live, ({ ended }) => ended)).then(() => done.abort());
  await Promise.race([ended, clock.sleep(graceMs, done.signal)]);
}
