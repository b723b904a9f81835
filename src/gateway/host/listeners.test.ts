import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { waitFor } from "../../../test/support/wait-for.ts";
import { refuseUpgrade } from "../refuse-upgrade.ts";
import { closeServer } from "./listeners.ts";

async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

it("a server that closes answers what is being sent to it, and nobody new", async () => {
  let asked: IncomingMessage | undefined;
  const { server, port } = await startServer((incoming, response) => {
    asked = incoming;
    let body = "";
    incoming.on("data", (text) => (body += text)).on("end", () => response.end(`got ${body}`));
  });
  const post = request({ host: "127.0.0.1", port, method: "POST" });
  const answered = new Promise<string>((resolve, reject) => {
    post.on("error", reject).on("response", async (response) => resolve((await response.toArray()).join("")));
  });
  post.write("all of ");
  await waitFor(() => asked, { what: "the request" });
  const closed = closeServer(server);
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  post.end("it");
  expect(await answered).toBe("got all of it");
  await closed;
});

it("a server that closes waits for no request that never ends", async () => {
  const { server, port } = await startServer(() => undefined);
  const answered = fetch(`http://127.0.0.1:${port}`);
  await new Promise((resolve) => server.once("request", resolve));
  await Promise.all([closeServer(server), expect(answered).rejects.toThrow()]);
});

it("an upgrade that is reset while it is refused ends nothing but itself", async () => {
  const { server, port } = await startServer(() => undefined);
  server.on("upgrade", (_, socket) => refuseUpgrade(socket, 503, "the gateway is stopping"));
  const upgrade = "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
  const resets: (Error | null)[] = [];
  server.on("connection", (socket) => socket.on("close", () => resets.push(socket.errored)));
  for (let tries = 1; tries <= 20; tries += 1) {
    const socket = connect(port, "127.0.0.1", () => socket.write(upgrade, () => socket.resetAndDestroy()));
    await waitFor(() => resets.length === tries, { what: "a socket that is gone", intervalMs: 2 });
  }
  await closeServer(server);
});
