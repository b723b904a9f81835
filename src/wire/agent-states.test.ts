import { describe, expect, it } from "vitest";
import {
  type AgentEvent,
  type AgentState,
  agentMoves,
  findAgentMove,
  findTunnelMove,
  type TunnelEvent,
  type TunnelState,
  tunnelMoves,
} from "./agent-states.ts";

function walkTunnel(...events: TunnelEvent[]): (TunnelState | undefined)[] {
  let state: TunnelState | undefined = "queued";
  return events.map((event) => {
    state = state && findTunnelMove(state, event);
    return state;
  });
}

function walkAgent(...events: AgentEvent[]): (AgentState | undefined)[] {
  let state: AgentState | undefined = "starting";
  return events.map((event) => {
    state = state && findAgentMove(state, event);
    return state;
  });
}

describe("the gateway's side", () => {
  it("goes from queued over warm-up and running to draining", () => {
    expect(walkTunnel("warmup", "ready", "drain")).toEqual(["warmup", "running", "draining"]);
  });

  it("T12 ignores a ready that comes before the warm-up", () => {
    expect(findTunnelMove("queued", "ready")).toBeUndefined();
  });

  it("T16 lets an agent that came back go on without a second warm-up", () => {
    expect(walkTunnel("resume")).toEqual(["running"]);
  });

  it("ends in draining, from wherever the job's end finds it", () => {
    for (const state of ["queued", "warmup", "running"] as const) {
      expect(findTunnelMove(state, "drain")).toBe("draining");
    }
    expect(tunnelMoves.draining).toEqual({});
  });
});

describe("the agent's side", () => {
  it("serves a job, over a cut that resumes", () => {
    const walk = walkAgent("connected", "warmup", "ready", "cut", "connected", "resume", "drain", "finish");
    expect(walk).toEqual([
      "queued",
      "warmup",
      "running",
      "redialing",
      "queued",
      "running",
      "draining",
      "drained",
    ]);
  });

  it("T20 never dials again after a drain", () => {
    expect(findAgentMove("draining", "cut")).toBeUndefined();
    expect(Object.values(agentMoves.draining).sort()).toEqual(["drained", "failed"]);
  });

  it("reaches an end from every state, and none leads out of an end", () => {
    const ends = Object.entries(agentMoves).filter(([, moves]) => Object.keys(moves).length === 0);
    expect(ends.map(([state]) => state)).toEqual(["drained", "failed"]);
    for (const [state, moves] of Object.entries(agentMoves)) {
      if (!["drained", "failed"].includes(state)) expect(Object.values(moves)).toContain("failed");
    }
  });
});
