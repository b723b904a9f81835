import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LinkProxy, startLinkProxy } from "./link-proxy.ts";
import { waitFor } from "./wait-for.ts";

let server: Server;
let proxy: LinkProxy;
let ends: Record<"client" | "target", ReturnType<typeof watch>>;

beforeEach(async () => {
  const accepted = new Promise<Socket>((resolve) => {
    server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on("error", () => resolve(socket)); // told by \`watch\` where it matters
      resolve(socket);
    }).listen(0, "127.0.0.1");
  });
  await new Promise((resolve) => server.once("listening", resolve));
  proxy = await startLinkProxy((server.address() as AddressInfo).port);
  const client = watch(connect({ port: proxy.port, host: "127.0.0.1", allowHalfOpen: true }));
  ends = { client, target: watch(await accepted) };
});

afterEach(async () => {
  for (const { socket } of Object.values(ends)) socket.destroy();
  await proxy.close();
  await new Promise((resolve) => server.close(resolve));
});

test("passes bytes both ways, many of them, and the end of each side", async () => {
  const { client, target } = ends;
  const bytes = Buffer.alloc(3_000_000, "abc");
  client.socket.end(bytes);
  target.socket.write("back");
  await waitFor(() => target.isEnded && client.read().length === 4);
  expect(target.read().equals(bytes)).toBe(true);
  expect(proxy.passed).toEqual({ up: 3_000_000, down: 4 });
  target.socket.end();
  await waitFor(() => proxy.links === 0);
});

test("cuts with an RST, or with a FIN", async () => {
  proxy.cut("reset");
  await waitFor(() => ends.client.fault === "ECONNRESET" && ends.target.fault === "ECONNRESET");
});

test("cuts with a FIN, which is no fault", async () => {
  await waitFor(() => proxy.links === 1);
  proxy.cut("fin");
  await waitFor(() => ends.client.isEnded && ends.target.isEnded);
  expect([ends.client.fault, ends.target.fault]).toEqual([undefined, undefined]);
});

test("cuts behind a byte", async () => {
  proxy.cutAfter("up", 5);
  ends.client.socket.write("0123456789");
  await waitFor(() => ends.client.fault !== undefined);
  expect(ends.target.read().toString()).toBe("01234");
});

test("a frozen link is silent both ways, and the end of one side is not told", async () => {
  await waitFor(() => proxy.links === 1);
  proxy.freeze();
  ends.client.socket.write("lost");
  ends.client.socket.destroy();
  const other = watch(connect(proxy.port, "127.0.0.1"));
  await waitFor(() => proxy.dialed === 2);
  other.socket.destroy();
  expect(ends.target.isEnded).toBe(false);
  expect(ends.target.read().length).toBe(0);
});

test("holds back what flows while it is paused, and delays", async () => {
  proxy.pause("up");
  ends.client.socket.write("held");
  ends.target.socket.write("through");
  await waitFor(() => ends.client.read().length === 7);
  expect(ends.target.read().length).toBe(0);
  proxy.delay(30);
  proxy.resume();
  const before = performance.now();
  ends.target.socket.write("later");
  await waitFor(() => ends.client.read().length === 12, { intervalMs: 1 });
  expect(performance.now() - before).toBeGreaterThanOrEqual(29);
  expect(ends.target.read().toString()).toBe("held");
});

test("throttles", async () => {
  proxy.throttle(100_000);
  const before = performance.now();
  ends.client.socket.write(Buffer.alloc(5_000));
  await waitFor(() => ends.target.read().length === 5_000, { intervalMs: 1 });
  expect(performance.now() - before).toBeGreaterThanOrEqual(45);
});

test("resets or swallows a dial, and sends dials elsewhere", async () => {
  proxy.onDial("reset");
  const refused = watch(connect(proxy.port, "127.0.0.1"));
  await waitFor(() => refused.fault === "ECONNRESET");
  proxy.onDial("swallow");
  const swallowed = watch(connect(proxy.port, "127.0.0.1"));
  swallowed.socket.write("hello");
  await waitFor(() => proxy.links === 2);
  swallowed.socket.destroy();
  proxy.onDial("pass");
  proxy.retarget(1);
  const nobody = watch(connect(proxy.port, "127.0.0.1"));
  await waitFor(() => nobody.fault === "ECONNRESET");
});

function watch(socket: Socket) {
  const chunks: Buffer[] = [];
  const seen = {
    socket,
    isEnded: false,
    fault: undefined as string | undefined,
    read: () => Buffer.concat(chunks),
  };
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("end", () => {
    seen.isEnded = true;
  });
  socket.on("error", (fault: NodeJS.ErrnoException) => {
    seen.fault = fault.code;
  });
  return seen;
}
