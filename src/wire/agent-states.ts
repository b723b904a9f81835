/** How far a tunnel is, as its gateway sees it. */
export type TunnelState = "queued" | "warmup" | "running" | "draining";

/**
 * What moves a tunnel on the gateway's side: messages that it sends (`warmup`, `drain`) or receives (`ready`), and
 * `resume`, the return of an agent inside the reconnect window, which needs no second warm-up.
 */
export type TunnelEvent = "warmup" | "ready" | "resume" | "drain";

/** How far an agent is, as it sees itself: from its start over every redial to its end. */
export type AgentState =
  | "starting"
  | "queued"
  | "warmup"
  | "running"
  | "redialing"
  | "draining"
  | "drained"
  | "failed";

/**
 * What moves an agent: `connected` (a dial was accepted), `warmup` (received), `ready` (sent), `resume` (after a redial
 * the open session goes on: a data frame, `session_open` or `resume` came without a warm-up), `cut` (the link is gone),
 * `drain` (received, or a redial is refused since the job has ended), `finish` (what was in flight is answered and the
 * socket closed), `fail` (there is nothing more to try). An agent that is stopped from its own side ends in the state
 * that it was in: that is no fault.
 */
export type AgentEvent = "connected" | "warmup" | "ready" | "resume" | "cut" | "drain" | "finish" | "fail";

type Moves<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/**
 * The gateway's table. The documents of the challenge draw `drain` from `running` alone; an agent that still waits or
 * loads when its job ends must be told too, or it would redial and be refused.
 */
export const tunnelMoves: Moves<TunnelState, TunnelEvent> = {
  queued: { warmup: "warmup", resume: "running", drain: "draining" },
  warmup: { ready: "running", drain: "draining" },
  running: { drain: "draining" },
  draining: {},
};

/** The agent's table. Nothing leads from `draining` back: after a drain the agent never dials again. */
export const agentMoves: Moves<AgentState, AgentEvent> = {
  starting: { connected: "queued", fail: "failed" },
  queued: {
    warmup: "warmup",
    resume: "running",
    cut: "redialing",
    drain: "draining",
    fail: "failed",
  },
  warmup: { ready: "running", cut: "redialing", drain: "draining", fail: "failed" },
  running: { cut: "redialing", drain: "draining", fail: "failed" },
  redialing: { connected: "queued", drain: "draining", fail: "failed" },
  draining: { finish: "drained", fail: "failed" },
  drained: {},
  failed: {},
};

/** The state that an event leads to on the gateway's side; undefined when the event is no legal move: it is ignored. */
export function findTunnelMove(state: TunnelState, event: TunnelEvent): TunnelState | undefined {
  return tunnelMoves[state][event];
}

/** The state that an event leads to on the agent's side; undefined when the event is no legal move: it is ignored. */
export function findAgentMove(state: AgentState, event: AgentEvent): AgentState | undefined {
  return agentMoves[state][event];
}
