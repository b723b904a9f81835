import { fileURLToPath } from "node:url";
import { SORTIE } from "../workspace.mjs";
import { openTcp, openWebSocket } from "./callers.mjs";
import { startNginx } from "./nginx.mjs";
import { startAgentHop, startHop } from "./processes.mjs";

/** The names of the paths, in the order in which they are printed. */
export const PATHS = {
  direct: "WebSocket echo, direct",
  tcp: "TCP echo, a pipe",
  nginx: "WebSocket echo behind nginx stream",
  inAgent: "gateway, agent: in the agent's process",
  inThread: "gateway, agent: in a worker thread",
  inChild: "gateway, agent: in a Python child",
  websockets: "gateway, agent on Python websockets",
};

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const node = (name, ...args) => [process.execPath, here(name), ...args];

/**
 * Starts every hop of every path as a process of its own; this process is the simulator. A connection for each path;
 * `failed`, which rejects when an agent ends by itself; and `close`, which leaves no process behind.
 */
export async function openPaths(python) {
  const opened = [];
  const keep = async (thing) => {
    opened.push(await thing);
    return thing;
  };
  const close = async () => {
    for (const thing of opened.reverse()) await thing.close?.();
    for (const thing of opened) await thing.stop?.();
  };
  try {
    const connections = { ...(await openBaselines(keep)), ...(await openAgents(keep, makeAgents(python))) };
    const failed = Promise.race(opened.flatMap((thing) => thing.failed ?? []));
    failed.catch(() => undefined); // whoever waits for it is told
    return { connections, failed, close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

async function openBaselines(keep) {
  const echo = await keep(startHop(node("ws-echo.mjs")));
  const tcp = await keep(startHop(node("net-echo.mjs")));
  const nginx = await keep(startNginx(echo.said.port));
  return {
    direct: await keep(openWebSocket(`ws://127.0.0.1:${echo.said.port}`)),
    tcp: await keep(openTcp(tcp.said.port)),
    nginx: await keep(openWebSocket(`ws://127.0.0.1:${nginx.port}`)),
  };
}

/** One gateway with a job for each agent. A connection to its port is open when the agent has the session. */
async function openAgents(keep, agents) {
  const caps = Object.fromEntries(Object.keys(agents).map((name) => [name, 1]));
  const { said } = await keep(startHop(node("gateway.mjs", JSON.stringify({ jobs: caps }))));
  const connections = {};
  for (const [name, makeArgv] of Object.entries(agents)) {
    const { uuid, token } = said.jobs[name];
    const env = { ...process.env, JOB_TOKEN: token };
    const agent = await keep(startAgentHop(makeArgv(said.tunnelUrl, uuid), { env }));
    const connection = openWebSocket(`ws://127.0.0.1:${said.port}/${name}`);
    connections[name] = await keep(Promise.race([connection, agent.failed]));
  }
  return connections;
}

function makeAgents(python) {
  const sortie = (handler) => (tunnelUrl, job) => [
    ...SORTIE,
    ...["agent", "--gateway-url", tunnelUrl, "--job-uuid", job, "--handler", `${here(handler)}:handle`],
    ...["--gpu", "cpu", "--payload", "opaque", "--python", python],
  ];
  return {
    inAgent: (tunnelUrl, job) => node("agent.mjs", tunnelUrl, job),
    inThread: sortie("echo-handler.mjs"),
    inChild: sortie("echo_handler.py"),
    websockets: (tunnelUrl, job) => [python, here("websockets_agent.py"), tunnelUrl, job],
  };
}
