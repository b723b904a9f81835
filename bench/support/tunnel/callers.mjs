import { once } from "node:events";
import { connect } from "node:net";
import WebSocket from "ws";

/** A WebSocket on which one call after another is made: `call(frame)` sends it and resolves with the reply. */
export async function openWebSocket(url) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  let settle;
  socket.on("message", (reply) => settle.resolve(reply));
  socket.on("close", (code, reason) => settle?.reject(new Error(`${url} closed with ${code} ${reason}`)));
  const call = (frame) =>
    new Promise((resolve, reject) => {
      settle = { resolve, reject };
      socket.send(frame);
    });
  return { call, close: () => closeWebSocket(socket) };
}

/** The same on a bare TCP connection, on which as many bytes come back as were sent. They are not put together. */
export async function openTcp(port) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  let take;
  socket.on("data", (chunk) => take(chunk));
  const call = (frame) =>
    new Promise((resolve) => {
      const chunks = [];
      let left = frame.length;
      take = (chunk) => {
        chunks.push(chunk);
        left -= chunk.length;
        if (left === 0) resolve(chunks);
      };
      socket.write(frame);
    });
  return { call, join: Buffer.concat, close: () => socket.destroy() };
}

async function closeWebSocket(socket) {
  if (socket.readyState === WebSocket.CLOSED) return;
  const closed = once(socket, "close");
  socket.close();
  await closed;
}
