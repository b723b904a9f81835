// A gateway process with a port for simulators outside it. Usage: gateway.mjs '{"jobs": {NAME: CAP}}': each
// job has one case. A WebSocket to PORT/NAME is accepted once an agent plays it; then each message is an observation.
import { once } from "node:events";
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { startGateway } from "../../../dist/gateway.js";
import { announce } from "./processes.mjs";

const STOP_MS = 2_000;
const SERVER_FAULT = 1011;
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

const { jobs: caps } = JSON.parse(process.argv[2]);
const policies = new Map();
const gateway = await startGateway();
const jobs = Object.fromEntries(Object.entries(caps).map(([name, cap]) => [name, addJob(name, cap)]));
const server = createServer().listen(0, "127.0.0.1");
const door = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
server.on("upgrade", openPort);
await once(server, "listening");
announce({ port: server.address().port, tunnelUrl: gateway.tunnelUrl, jobs }, () => gateway.stop(STOP_MS));

function addJob(name, parallelism) {
  const simulator = (policy, _spec, signal) => {
    policies.get(name).give(policy);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  policies.set(name, makePromise());
  const cases = [{ task: name, index: 0, seed: 0 }];
  const { uuid, token } = gateway.addJob({ owner: "bench", parallelism, cases, simulator });
  return { uuid, token };
}

async function openPort(request, socket, head) {
  const policy = await policies.get(request.url.slice(1)).promise;
  door.handleUpgrade(request, socket, head, (simulator) => {
    const tellFault = (fault) => simulator.close(SERVER_FAULT, fault.code);
    simulator.on("message", (frame) => {
      policy.infer(frame).then((reply) => simulator.send(reply), tellFault);
    });
  });
}

function makePromise() {
  let give;
  const promise = new Promise((resolve) => {
    give = resolve;
  });
  return { promise, give };
}
