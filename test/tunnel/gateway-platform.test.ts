import { describe, expect, it } from "vitest";
import { makeEchoSimulator, platformFlags } from "../../src/gateway.ts";
import { pack } from "../../src/payload/pack.ts";
import { makeAction } from "../support/actions.ts";
import { makePlainHandler, useAgents } from "../support/agents.ts";
import { startStage } from "../support/gateway-stage.ts";

const start = useAgents();
/** A busy machine is no dead link. */
const patient = { pingMs: 10_000, pongMs: 10_000, gatewayPingMs: 45_000 };
const action = pack(makeAction());

describe("T01 a job of our agents", () => {
  it.each([
    ["with our own flags", {}],
    ["under the platform's flags", platformFlags],
  ])("%s: every case is played, every agent drained", async (_, flags) => {
    const stage = await startStage({ flags });
    const job = stage.addJob({
      parallelism: 2,
      caseCount: 5,
      simulator: makeEchoSimulator({ steps: 8, frameBytes: 85_000 }),
    });
    const handler = () => makePlainHandler({ handle: async () => action });
    const agents = [handler(), handler()].map((each) =>
      start({
        gatewayUrl: stage.tunnelUrl,
        jobUuid: job.uuid,
        token: job.token,
        handler: each,
        timers: patient,
      }),
    );
    for (const { agent } of agents) expect((await agent.ended).outcome).toBe("drained");
    const { cases } = await job.ended;
    expect(cases.map(({ result }) => result?.score)).toEqual([1, 1, 1, 1, 1]);
    expect(cases.map(({ spec }) => spec.index).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(new Set(cases.map(({ agentId }) => agentId)).size).toBe(2);
    expect(stage.find("reply").every(({ asked }) => asked)).toBe(true);
    expect(stage.find("ignored_control")).toEqual([]);
    expect(stage.find("reply_unknown_session")).toEqual([]);
    for (const { agentId } of cases) {
      const types = stage.events.filter((event) => event.agentId === agentId).map(({ type }) => type);
      const order = [
        "dialed",
        "warmup_sent",
        "ready",
        "session_opened",
        "drain_sent",
        "link_closed",
      ] as const;
      const places = order.map((type) => types.indexOf(type));
      expect(places).toEqual([...places].sort((one, other) => one - other));
    }
  });
});
