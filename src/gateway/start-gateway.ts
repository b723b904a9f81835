import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../base/clock.ts";
import { describeFault, SortieError } from "../base/error.ts";
import { checkGatewayOptions, checkJobSpec } from "./check-options.ts";
import { TUNNEL_PATH } from "./dial-request.ts";
import { formatAddress } from "./format-address.ts";
import { gatewayFlags, gatewayTimers } from "./gateway-flags.ts";
import type { Gateway, GatewayOptions, Job, JobSpec } from "./gateway-options.ts";
import type { JobHost } from "./job-parts.ts";
import { JobRun } from "./job-run.ts";
import type { JobTable } from "./job-table.ts";
import { hashToken, makeJobToken } from "./job-token.ts";
import { listen } from "./listen.ts";
import { makeJob } from "./make-job.ts";
import { makeTunnelSide, type TunnelSide } from "./tunnel-side.ts";

const LOOPBACK = "127.0.0.1";

/** Starts a gateway that listens when this resolves. SortieError `gateway_option_bad`, `port_taken`, `listen_failed`. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  checkGatewayOptions(options);
  const { host = LOOPBACK, port = 0, clock = systemClock, onEvent } = options;
  const report: JobHost["report"] = (jobUuid, agentId, event) =>
    onEvent?.({ ...event, at: clock.now(), monotonicMs: clock.monotonicMs(), jobUuid, agentId });
  const side = makeTunnelSide({
    flags: { ...gatewayFlags, ...options.flags },
    timers: { ...gatewayTimers, ...options.timers },
    ...{ clock, report },
  });
  const server = createServer(answerNoPage).on("upgrade", side.door.receive);
  await listen(server, { host, port }, (fault) =>
    report("", "", { type: "server_fault", why: describeFault(fault) }),
  );
  side.start();
  let stopped: Promise<void> | undefined;
  return {
    tunnelUrl: makeTunnelUrl(server),
    addJob: (spec) => {
      if (stopped !== undefined) throw new SortieError("gateway_stopped");
      return addJob(side, spec);
    },
    stop: (graceMs) => {
      stopped ??= stop(server, side, graceMs);
      return stopped;
    },
  };
}

async function stop(server: Server, side: TunnelSide, graceMs: number) {
  for (const job of side.jobs.live) job.drain();
  await waitForEnds(side.jobs, graceMs, side.host);
  for (const job of side.jobs.live) job.giveUp("stopping", "the gateway is stopping");
  side.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Everything but a tunnel: an embedded gateway has no challenge API. */
function answerNoPage(_request: IncomingMessage, response: ServerResponse) {
  response.writeHead(404, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ status: "error", error: `there is only ${TUNNEL_PATH}, for WebSockets` }));
}

function makeTunnelUrl(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `ws://${formatAddress(address, port)}${TUNNEL_PATH}`;
}

function addJob({ jobs, host }: TunnelSide, spec: JobSpec): Job {
  checkJobSpec(spec);
  const { uuid = randomUUID(), owner, parallelism, cases, simulator } = spec;
  const token = makeJobToken();
  const ownSeat = { boards: [], play: simulator };
  const tokenHash = hashToken(token);
  const run = new JobRun({ uuid, tokenHash, owner, parallelism, cases, ownSeat }, host);
  jobs.add(run);
  run.start();
  return makeJob(run, token);
}

/** Waits until every job has ended, `graceMs` at most. */
async function waitForEnds(jobs: JobTable, graceMs: number, { clock }: JobHost) {
  const done = new AbortController();
  const ended = Promise.all(Array.from(jobs.live, ({ ended }) => ended)).then(() => done.abort());
  await Promise.race([ended, clock.sleep(graceMs, done.signal)]);
}
