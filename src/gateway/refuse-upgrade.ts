import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Answers an upgrade with a status instead of a WebSocket: `{"status":"error","error":…}`, as the challenge API does. A
 * client that breaks off meanwhile is nobody's loss.
 */
export function refuseUpgrade(socket: Duplex, status: number, error: string): void {
  const body = JSON.stringify({ status: "error", error });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.on("error", () => socket.destroy());
  socket.once("finish", () => socket.destroy());
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
