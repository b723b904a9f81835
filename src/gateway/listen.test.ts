import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it } from "vitest";
import { listen } from "./listen.ts";

const ignore = () => undefined;

it("says that a port is taken, or why else it cannot be had", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  await expect(listen(createServer(), { host: "127.0.0.1", port }, ignore)).rejects.toMatchObject({
    code: "port_taken",
    details: { host: "127.0.0.1", port },
  });
  taken.close();
  await expect(listen(createServer(), { host: "127.0.0.1", port: 70_000 }, ignore)).rejects.toMatchObject({
    code: "listen_failed",
    message: expect.stringMatching(/127\.0\.0\.1:70000: .*65536/),
  });
});

it("tells faults that come later, and goes on", async () => {
  const server = createServer((_, response) => response.end("here"));
  const faults: Error[] = [];
  await listen(server, { host: "127.0.0.1", port: 0 }, (fault) => faults.push(fault));
  const fault = new Error("accept EMFILE");
  server.emit("error", fault);
  expect(faults).toEqual([fault]);
  const { port } = server.address() as { port: number };
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("here");
  server.closeAllConnections();
  server.close();
});
