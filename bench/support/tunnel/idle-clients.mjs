// Idle agents, many in one process: each dials, answers the warm-up, and from then on only pings. One that is closed ends
// all. Usage: idle-clients.mjs TUNNEL_URL JOB_UUID COUNT, the token in JOB_TOKEN. Each line of its input is answered with
// the pings that came so far: {"least", "most", "all"}, of one agent and of all of them.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import WebSocket from "ws";
import { announce } from "./processes.mjs";

const AT_ONCE = 50;

const [tunnelUrl, jobUuid, count] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env.JOB_TOKEN}` };
const pings = [];
let opened = 0;
await Promise.all(Array.from({ length: AT_ONCE }, dialInTurn));
announce({ opened });
process.stdin.on("data", tellPings);

async function dialInTurn() {
  while (opened < Number(count)) {
    pings.push(0);
    opened += 1;
    await dial(opened - 1);
  }
}

async function dial(number) {
  const url = `${tunnelUrl}?job=${jobUuid}&agent=${randomUUID()}`;
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  socket.on("close", (code, reason) => {
    console.error(`idle agent: closed with ${code} ${reason}`);
    process.exit(1);
  });
  socket.on("ping", () => {
    pings[number] += 1;
  });
  for (;;) {
    const [message] = await once(socket, "message");
    if (JSON.parse(message).type === "warmup") return socket.send('{"type":"ready"}');
  }
}

function tellPings() {
  const all = pings.reduce((sum, count) => sum + count, 0);
  console.log(JSON.stringify({ least: Math.min(...pings), most: Math.max(...pings), all }));
}
