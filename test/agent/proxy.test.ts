import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CHECKOUT, startJob, useContestant } from "../support/contestant.ts";

const contestant = useContestant();
/** Nobody listens there. */
const DEAD = "http://name:pass-word@127.0.0.1:1";

describe("T38 a proxy in the environment", () => {
  const call = (state: Record<string, string>, env: Record<string, string>, more: readonly string[] = []) =>
    contestant.run(
      [
        join(CHECKOUT, "scripts", "tunnel.sh"),
        "cpu",
        state["JOB_UUID"] ?? "",
        state["TUNNEL_ENDPOINT"] ?? "",
        ...more,
      ],
      { env: { NO_PROXY: "", no_proxy: "", JOB_TOKEN: state["JOB_TOKEN"], ...env } },
    );

  it("is left alone, which is said", async () => {
    const { state } = await startJob();
    const { exitCode, output } = await call(state, { HTTP_PROXY: DEAD });
    expect(exitCode, output).toBe(0);
    expect(output).toContain("the proxy of the environment is ignored: the tunnel goes direct");
  });

  it("is used when that is asked for, and is the reason where it does not answer", async () => {
    const { state } = await startJob();
    const agent = contestant.start(
      [
        join(CHECKOUT, "scripts", "tunnel.sh"),
        "cpu",
        state.JOB_UUID,
        state.TUNNEL_ENDPOINT,
        "--proxy",
        "env",
      ],
      { env: { NO_PROXY: "", no_proxy: "", JOB_TOKEN: state.JOB_TOKEN, HTTP_PROXY: DEAD } },
    );
    await agent.waitForOutput("through the proxy 127.0.0.1:1");
    await agent.waitForOutput("ECONNREFUSED");
    expect(agent.output()).not.toContain("pass-word");
    agent.signal("SIGTERM");
    expect((await agent.ended).exitCode).toBe(143);
  });

  it("is not looked for where the environment names none for this gateway", async () => {
    const { state } = await startJob();
    const { exitCode, output } = await call(state, { HTTP_PROXY: DEAD, NO_PROXY: "127.0.0.1" }, [
      "--proxy",
      "env",
    ]);
    expect(exitCode, output).toBe(0);
    expect(output).toContain("the environment names no proxy for this gateway");
  });

  it("that works is gone through", async () => {
    const { state } = await startJob();
    const wanted: string[] = [];
    const proxy = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (head) => {
        wanted.push(head.toString().split("\r\n", 1)[0] as string);
        const target = connectTo(state.TUNNEL_ENDPOINT);
        target.on("error", () => socket.destroy());
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(target).pipe(socket);
      });
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => proxy.once("listening", resolve));
    onTestFinished(() => void proxy.close());
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { exitCode, output } = await call(state, {}, ["--proxy", url]);
    expect(exitCode, output).toBe(0);
    expect(wanted).toEqual([`CONNECT ${new URL(state.TUNNEL_ENDPOINT).host} HTTP/1.1`]);
  });
});

function connectTo(url: string) {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}
