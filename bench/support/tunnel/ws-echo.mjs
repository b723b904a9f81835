// A WebSocket server that answers every message with as many of its first bytes as it asks for.
import { once } from "node:events";
import { WebSocketServer } from "ws";
import { cutReply } from "./frames.mjs";
import { announce } from "./processes.mjs";

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
await once(server, "listening");
server.on("connection", (socket) => {
  socket.on("message", (frame) => socket.send(cutReply(frame)));
});
announce({ port: server.address().port });
