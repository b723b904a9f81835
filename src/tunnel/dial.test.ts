import { spawn } from "node:child_process";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { startLinkProxy } from "../../test/support/link-proxy.ts";
import {
  type DialAnswer,
  type ScriptedGateway,
  startScriptedGateway,
} from "../../test/support/scripted-gateway.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { systemClock } from "../base/clock.ts";
import { type DialOutcome, type DialRequest, dialGateway } from "./dial.ts";
import { Secrets } from "./secrets.ts";

let gateway: ScriptedGateway;
beforeEach(async () => {
  gateway = await startScriptedGateway();
});
afterEach(() => gateway.close());

const dial = (own: Partial<DialRequest> = {}) =>
  dialGateway({
    url: new URL(`${gateway.url}?job=j&agent=a`),
    token: "secret",
    secrets: new Secrets(),
    timeoutMs: 2_000,
    clock: systemClock,
    signal: new AbortController().signal,
    ...own,
  });

function tell(outcome: DialOutcome): string {
  if ("reason" in outcome) return `${outcome.kind}: ${outcome.reason}`;
  return "error" in outcome ? `${outcome.kind}: ${outcome.error.message}` : outcome.kind;
}

test("an accepted dial gives a paused socket, so that the first frames wait for their reader", async () => {
  const outcome = await dial();
  const link = await gateway.nextLink();
  link.tell({ type: "warmup" });
  if (outcome.kind !== "open") throw new Error(tell(outcome));
  // The message is here before anybody listens.
  await waitFor(() => outcome.raw.bytesRead > 0 && outcome.raw.readableLength > 0, { intervalMs: 1 });
  const message = new Promise((resolve) => outcome.socket.on("message", (data) => resolve(String(data))));
  outcome.socket.resume();
  expect(await message).toBe('{"type":"warmup"}');
  outcome.socket.terminate();
});

test("every other answer is judged by its status and its words", async () => {
  const answers: [DialAnswer, RegExp][] = [
    [
      { status: 401, body: '{"status":"error","error":"no such job"}' },
      /^unauthorized: .*401: "no such job"/,
    ],
    [{ status: 404 }, /^final: .*404/],
    [
      { status: 200, body: "<html>hello", headers: { "content-type": "text/html" } },
      /^final: .*web page.*hello/,
    ],
    [{ status: 503, body: "restarting" }, /^busy: it answered 503: "restarting"/],
    ["cut", /^open/],
  ];
  for (const [answer, pattern] of answers) {
    gateway.answer = () => answer;
    const outcome = await dial();
    expect(tell(outcome)).toMatch(pattern);
    if (outcome.kind === "open") outcome.socket.terminate();
  }
});

test("a redirect is followed on the same host and port; elsewhere the token is not sent", async () => {
  const other = await startScriptedGateway();
  gateway.answer = (_, number) =>
    number === 1 ? { status: 307, headers: { location: "/new?x=1" } } : "accept";
  const outcome = await dial();
  expect(outcome.kind).toBe("open");
  expect(gateway.dials[1]?.query.toString()).toBe("x=1&job=j&agent=a");
  expect(gateway.dials[1]?.token).toBe("secret");
  if (outcome.kind === "open") outcome.socket.terminate();

  gateway.answer = () => ({ status: 302, headers: { location: other.url } });
  expect(tell(await dial())).toMatch(/^final: .*another port.*token was not sent/);
  gateway.answer = () => ({ status: 302, headers: { location: "https://website.example/login" } });
  expect(tell(await dial())).toMatch(/^final: .*another host/);
  expect(other.dials.length).toBe(0);

  gateway.answer = () => ({ status: 302, headers: { location: gateway.url } });
  expect(tell(await dial())).toMatch(/^final: .*more than 5 times/);
  await other.close();
});

test("nobody there, silence, and what is no HTTP are told apart", async () => {
  const proxy = await startLinkProxy(gateway.port);
  const url = new URL(proxy.route(gateway.url));
  proxy.onDial("reset");
  expect(tell(await dial({ url }))).toMatch(/^network: the connection was reset/);
  proxy.onDial("swallow");
  expect(tell(await dial({ url, timeoutMs: 50 }))).toBe("network: no answer within 0.05 s");
  await proxy.close();
  expect(tell(await dial({ url }))).toMatch(/^network: nobody listens there \(ECONNREFUSED\)/);

  const odd = createTcpServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.resume().end("SSH-2.0-Odd\r\n");
  });
  await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
  const { port } = odd.address() as AddressInfo;
  expect(tell(await dial({ url: new URL(`ws://127.0.0.1:${port}/`) }))).toMatch(/^final: .*speaks no HTTP/);
  await new Promise((resolve) => odd.close(resolve));
  expect(tell(await dial({ url: new URL(gateway.url.replace("ws:", "wss:")) }))).toMatch(/^final: .*no TLS/);
});

test("where a network swallows the connection, the dial is over soon; a slow answer has its time", async () => {
  const full = await startFullListener();
  onTestFinished(() => full.close());
  const outcome = await dial({ url: new URL(`ws://127.0.0.1:${full.port}/`), timeoutMs: 500 });
  expect(tell(outcome)).toBe("network: no answer within 0.1 s");

  const proxy = await startLinkProxy(gateway.port);
  proxy.delay(300);
  const slow = await dial({ url: new URL(proxy.route(gateway.url)), timeoutMs: 2_500 });
  expect(slow.kind).toBe("open");
  if (slow.kind === "open") slow.socket.terminate();
  await proxy.close();
});

test("a dial that is given up leaves nothing open", async () => {
  const giveUp = new AbortController();
  const proxy = await startLinkProxy(gateway.port);
  proxy.onDial("swallow");
  const dialing = dial({ url: new URL(proxy.route(gateway.url)), signal: giveUp.signal });
  giveUp.abort();
  expect((await dialing).kind).toBe("aborted");
  expect((await dial({ signal: giveUp.signal })).kind).toBe("aborted");
  expect(gateway.dials.length).toBe(0);
  await proxy.close();
});

test("through a proxy that is not there, the proxy is told, without its password", async () => {
  const outcome = await dial({ proxyUrl: "http://me:pass@127.0.0.1:1/" });
  expect(tell(outcome)).toBe(
    "network: through the proxy http://…@127.0.0.1:1/: nobody listens there (ECONNREFUSED)",
  );
});

test("a proxy is asked to connect, and the tunnel goes through it", async () => {
  const asked: string[] = [];
  const proxy = createTcpServer((client) => {
    client.once("data", (data) => {
      asked.push(String(data).split("\r\n")[0] as string);
      const target = new URL(gateway.url);
      const socket = connect(Number(target.port), "127.0.0.1");
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(socket).pipe(client);
      for (const end of [client, socket]) end.on("error", () => end.destroy());
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  const outcome = await dial({ proxyUrl: `http://127.0.0.1:${port}` });
  expect(tell(outcome)).toBe("open");
  expect(asked).toEqual([`CONNECT 127.0.0.1:${gateway.port} HTTP/1.1`]);
  expect(gateway.dials[0]).toMatchObject({ token: "secret" });
  if (outcome.kind === "open") outcome.socket.terminate();
  await new Promise((resolve) => proxy.close(resolve));
});

/** A listener that takes no connections, and whose queue for them is full: the system drops whatever more comes. */
async function startFullListener() {
  const listen = `require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () {
    console.log(this.address().port);
    process.kill(process.pid, "SIGSTOP");
  })`;
  const child = spawn(process.execPath, ["-e", listen], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<number>((resolve) => {
    child.stdout.once("data", (data) => resolve(Number(String(data))));
  });
  const queue = [0, 1, 2].map(() => connect(port, "127.0.0.1").on("error", () => undefined));
  let connected = 0;
  for (const socket of queue) socket.once("connect", () => (connected += 1));
  await waitFor(() => connected === 2);
  return {
    port,
    close: () => {
      for (const socket of queue) socket.destroy();
      child.kill("SIGKILL");
    },
  };
}
