import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { GatewayRequest } from "./gateway-request.ts";

async function startServer() {
  const server = createServer({ IncomingMessage: GatewayRequest }, async (incoming, response) => {
    response.end(`answered ${(await incoming.toArray()).join("")}`);
  });
  server.on("upgrade", (_, socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nupgraded"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function ask(port: number, upgrade: string): Promise<string> {
  const headers = { Connection: "Upgrade, HTTP2-Settings", Upgrade: upgrade };
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method: "POST", headers });
    asked.on("response", async (response) => resolve((await response.toArray()).join("")));
    asked.on("error", reject).end("a body");
  });
}

it.each([
  ["h2c", "answered a body"],
  ["TLS/1.0", "answered a body"],
  ["websocket", "upgraded"],
  ["WebSocket", "upgraded"],
])("an offer of %s", async (upgrade, expected) => {
  expect(await ask(await startServer(), upgrade)).toBe(expected);
});
