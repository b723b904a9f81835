import { afterEach } from "vitest";
import type {
  Agent,
  AgentEnd,
  AgentEventRecord,
  AgentLogLine,
  AgentOptions,
  AgentTimers,
} from "../../src/tunnel/agent-options.ts";
import { startAgent } from "../../src/tunnel/start-agent.ts";
import type { FrameHandler } from "../../src/wire/handler.ts";
import { waitFor } from "./wait-for.ts";

/** A hundredth of the real ones where those are seconds. */
export const fastTimers: AgentTimers = {
  pingMs: 200,
  pongMs: 100,
  gatewayPingMs: 450,
  dialMs: 500,
  redialBudgetMs: 750,
  upMs: 50,
  stableMs: 600,
  redialLeastMs: 5,
  redialMostMs: 50,
  freshIdMs: 150,
  refusalMs: 60,
  pairLiveMs: 750,
  overCapMs: 150,
  evidenceMs: 40,
  stallMs: 400,
  drainMs: 5_000,
};

/** For a gateway that starts anew, which takes its time, and pings as the real one. */
export const patientTimers: AgentTimers = {
  ...fastTimers,
  redialBudgetMs: 60_000,
  gatewayPingMs: 20_000,
  pairLiveMs: 60_000,
};

export const TOKEN = "token-that-nobody-may-see";

export interface PlayedAgent {
  readonly agent: Agent;
  readonly lines: readonly AgentLogLine[];
  readonly events: readonly AgentEventRecord[];
  /** The states in the order in which they were entered. */
  readonly states: readonly string[];
  /** The log as one text. */
  log(): string;
  waitForState(state: string): Promise<unknown>;
  waitForLine(pattern: RegExp): Promise<unknown>;
}

/** Starts agents with scaled timers; each that still runs after a test is stopped. */
export function useAgents() {
  let agents: Agent[] = [];
  afterEach(async () => {
    await Promise.all(agents.map((agent) => agent.stop()));
    agents = [];
  });
  return (options: Omit<AgentOptions, "jobUuid" | "token"> & Partial<AgentOptions>): PlayedAgent => {
    const lines: AgentLogLine[] = [];
    const events: AgentEventRecord[] = [];
    const agent = startAgent({
      jobUuid: "job-1",
      token: TOKEN,
      ...options,
      timers: { ...fastTimers, ...options.timers },
      onLog: (line) => lines.push(line),
      onEvent: (event) => events.push(event),
    });
    agents.push(agent);
    const states = () => events.filter(({ type }) => type === "state").map(({ state }) => state);
    const log = () => lines.map(({ level, text }) => `${level} ${text}`).join("\n");
    return {
      agent,
      lines,
      events,
      get states() {
        return states();
      },
      log,
      waitForState: (state) =>
        waitFor(() => agent.state === state, { what: `state ${state}`, intervalMs: 2 }),
      waitForLine: (pattern) =>
        waitFor(() => pattern.test(log()), { what: `a line like ${pattern}`, intervalMs: 2 }).catch(
          (fault) => {
            throw new Error(`${fault.message}:\n${log()}`);
          },
        ),
    };
  };
}

/** The end of an agent whose end is an error. */
export async function waitForError({ agent }: PlayedAgent): Promise<NonNullable<AgentEnd["error"]>> {
  const { error, outcome } = await agent.ended;
  if (error === undefined) throw new Error(`the agent ended ${outcome} without an error`);
  return error;
}

export interface PlainHandler extends FrameHandler {
  /** Calls as words, in order: `load`, `open A`, `handle A 12`, `close A`, `stop`. */
  readonly calls: readonly string[];
}

/** A handler in the test's own process. Its default answer is the observation with `reply to ` before it. */
export function makePlainHandler(own: Partial<FrameHandler> = {}): PlainHandler {
  const calls: string[] = [];
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
  const note = (call: string) => {
    calls.push(call);
  };
  return {
    calls,
    died: own.died,
    load: async () => {
      note("load");
      await own.load?.();
    },
    open: async (sid) => {
      note(`open ${text(sid)}`);
      await own.open?.(sid);
    },
    close: async (sid) => {
      note(`close ${text(sid)}`);
      await own.close?.(sid);
    },
    handle: async (sid, payload) => {
      note(`handle ${text(sid)} ${payload.length}`);
      if (own.handle) return own.handle(sid, payload);
      return Buffer.concat([Buffer.from("reply to "), payload]);
    },
    stop: async () => {
      note("stop");
      await own.stop?.();
    },
  };
}
