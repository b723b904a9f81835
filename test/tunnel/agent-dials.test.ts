import dns from "node:dns";
import { afterEach, describe, expect, test, vi } from "vitest";
import { chooseProxy } from "../../src/supervise/agent/choose-proxy.ts";
import { useAgents, waitForError } from "../support/agents.ts";
import { startTunnelStage } from "../support/tunnel-stage.ts";
import { waitFor } from "../support/wait-for.ts";

const startAgent = useAgents();

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Names resolve to this machine while `isUp` says so; every other one is unknown. */
function fakeNames(isUp: () => boolean) {
  let asked = 0;
  const unknown = () => Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
  vi.spyOn(dns, "lookup").mockImplementation(((_: string, options: { all?: boolean }, done: Done) => {
    asked += 1;
    if (!isUp()) return done(unknown());
    const address = "127.0.0.1";
    return options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4);
  }) as unknown as typeof dns.lookup);
  return { asked: () => asked };
}

type Done = (fault: Error | null, ...found: unknown[]) => void;

describe("T37 a name that does not resolve", () => {
  test("for a while, is asked for again until it does", async () => {
    const { stage, job, start } = await startTunnelStage(startAgent);
    let isUp = false;
    const names = fakeNames(() => isUp);
    const gatewayUrl = stage.tunnelUrl.replace("127.0.0.1", "localhost");
    const agent = start({ gatewayUrl, timers: { redialBudgetMs: 10_000 } });
    await waitFor(() => names.asked() > 5);
    isUp = true;
    await agent.waitForState("running");
    expect(agent.log()).toContain("DNS knows no such name (ENOTFOUND)");
    job.drain();
    expect((await agent.agent.ended).outcome).toBe("drained");
  });

  test("for ever, ends the agent at its deadline, which says DNS", async () => {
    const { stage, start } = await startTunnelStage(startAgent);
    fakeNames(() => false);
    const agent = start({
      gatewayUrl: stage.tunnelUrl.replace("127.0.0.1", "localhost"),
      timers: { redialBudgetMs: 200 },
    });
    const error = await waitForError(agent);
    expect([error.code, error.exit]).toEqual(["dial_failed", 1]);
    expect(error.message).toContain("DNS knows no such name (ENOTFOUND)");
  });
});

describe("T38 a proxy in the environment", () => {
  const dead = "http://127.0.0.1:1";

  test("is not used, and that is said", async () => {
    for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, dead);
    vi.stubEnv("NO_PROXY", "");
    vi.stubEnv("no_proxy", "");
    const { stage, start } = await startTunnelStage(startAgent);
    const agent = start({ proxyUrl: chooseProxy(undefined, stage.tunnelUrl).url });
    await agent.waitForState("running");
    expect(chooseProxy(undefined, stage.tunnelUrl).said).toContain("the proxy of the environment is ignored");
  });

  test("is used where it is wanted, and a dial that fails by it says so", async () => {
    vi.stubEnv("http_proxy", dead);
    vi.stubEnv("no_proxy", "");
    vi.stubEnv("NO_PROXY", "");
    const { stage, start } = await startTunnelStage(startAgent);
    const { url } = chooseProxy("env", stage.tunnelUrl);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:1\/?$/);
    const agent = start({ proxyUrl: url, timers: { redialBudgetMs: 60 } });
    const error = await waitForError(agent);
    expect(error.message).toMatch(/through the proxy http:\/\/127\.0\.0\.1:1\/?: nobody listens there/);
  });
});
