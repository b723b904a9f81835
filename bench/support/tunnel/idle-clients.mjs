// Idle agents, many in one process: each dials, answers the warm-up, and from then on only pings.
// Usage: idle-clients.mjs TUNNEL_URL JOB_UUID COUNT, the token in JOB_TOKEN.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import WebSocket from "ws";
import { announce } from "./processes.mjs";

const AT_ONCE = 50;

const [tunnelUrl, jobUuid, count] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env.JOB_TOKEN}` };
let opened = 0;
await Promise.all(Array.from({ length: AT_ONCE }, dialInTurn));
announce({ opened });

async function dialInTurn() {
  while (opened < Number(count)) {
    opened += 1;
    await dial();
  }
}

async function dial() {
  const url = `${tunnelUrl}?job=${jobUuid}&agent=${randomUUID()}`;
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  socket.on("close", (code, reason) => {
    console.error(`idle agent: closed with ${code} ${reason}`);
    process.exit(1);
  });
  for (;;) {
    const [message] = await once(socket, "message");
    if (JSON.parse(message).type === "warmup") return socket.send('{"type":"ready"}');
  }
}
