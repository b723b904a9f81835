import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../base/clock.ts";
import { SortieError } from "../base/error.ts";
import { keepFrameMemory } from "../wire/frame-memory.ts";
import { TUNNEL_PATH } from "./dial-request.ts";
import { formatAddress } from "./format-address.ts";
import {
  type Gateway,
  type GatewayOptions,
  gatewayFlags,
  gatewayTimers,
  type Job,
  type JobSpec,
} from "./gateway-options.ts";
import { type JobHost, JobRun } from "./job-run.ts";
import { makeJobToken } from "./job-token.ts";
import { makeJob } from "./make-job.ts";
import { startSweep } from "./sweep.ts";
import { makeTunnelDoor } from "./tunnel-door.ts";

const LOOPBACK = "127.0.0.1";

/** Starts a gateway that listens when this resolves. SortieError `port_taken`. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { host = LOOPBACK, port = 0, clock = systemClock, onEvent } = options;
  const jobs = new Map<string, JobRun>();
  const jobHost: JobHost = {
    flags: { ...gatewayFlags, ...options.flags },
    timers: { ...gatewayTimers, ...options.timers },
    clock,
    report: (jobUuid, agentId, event) =>
      onEvent?.({ ...event, at: clock.now(), monotonicMs: clock.monotonicMs(), jobUuid, agentId }),
  };
  keepFrameMemory();
  const door = makeTunnelDoor(jobs, jobHost);
  const server = createServer(answerNoPage).on("upgrade", door.receive);
  await listen(server, host, port);
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
    for (const job of jobs.values()) job.drain();
    await waitForEnds(jobs, graceMs, jobHost);
    for (const job of jobs.values()) job.giveUp("stopping", "the gateway is stopping");
    stopSweep();
    door.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    // It stays when the server listens: a connection that could not be accepted is no end of the others.
    server.on("error", (fault: NodeJS.ErrnoException) => {
      reject(fault.code === "EADDRINUSE" ? new SortieError("port_taken", { host, port }, fault) : fault);
    });
    server.listen(port, host, resolve);
  });
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

function addJob(jobs: Map<string, JobRun>, spec: JobSpec, host: JobHost): Job {
  const uuid = spec.uuid ?? randomUUID();
  if (jobs.has(uuid)) throw new SortieError("job_exists", { uuid });
  const token = makeJobToken();
  const run = new JobRun(uuid, token, spec, host);
  jobs.set(uuid, run);
  return makeJob(run, token);
}

/** Waits until every job has ended, `graceMs` at most. */
async function waitForEnds(jobs: ReadonlyMap<string, JobRun>, graceMs: number, { clock }: JobHost) {
  const done = new AbortController();
  const ended = Promise.all([...jobs.values()].map((job) => job.ended)).then(() => done.abort());
  await Promise.race([ended, clock.sleep(graceMs, done.signal)]);
}
