import { findCloseWord } from "../../wire/close-codes.ts";
import type { GatewayEvent } from "../gateway-event.ts";
import type { PolicyDoorEvent } from "../policy-port/door-event.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export type LogFields = Readonly<Record<string, unknown>>;

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

type Told = readonly [level: LogLevel, message: string, more?: LogFields];

/** The line of an event; undefined for pings and frames, of which there are too many. */
export function describeEvent(event: GatewayEvent): LogLine | undefined {
  const told = tell(event);
  if (told === undefined) return undefined;
  const [level, message, more = {}] = told;
  const { type, jobUuid, agentId } = event;
  const whose = { ...(jobUuid && { job: jobUuid }), ...(agentId && { agent: agentId }) };
  return { level, message, fields: { event: type, ...whose, ...more } };
}

function tell(event: GatewayEvent): Told | undefined {
  switch (event.type) {
    case "agent_ping":
    case "agent_pong":
    case "empty_reply":
      return undefined;
    case "dialed":
      return ["info", event.resumed ? "agent is back" : "agent connected"];
    case "refused":
      return ["warn", "agent refused", { why: event.why, status: event.status }];
    case "warmup_sent":
    case "queued_sent":
    case "drain_sent":
      return ["debug", `told the agent: ${event.type.slice(0, -"_sent".length)}`];
    case "ready":
      return ["info", "agent ready"];
    case "session_opened":
    case "session_closed":
      return ["debug", event.type.replace("_", " "), { session: event.sessionId, by: event.by }];
    case "observation_sent":
      if (!event.resent) return undefined;
      return ["info", "observation sent again", { session: event.sessionId, bytes: event.bytes }];
    case "reply":
      if (event.asked) return undefined;
      return ["warn", "a reply that nobody waited for", { session: event.sessionId }];
    case "reply_unknown_session":
      return ["debug", "a reply of no open session", { session: event.sessionId, bytes: event.bytes }];
    case "malformed_frame":
      return ["warn", "malformed frame", { why: event.why }];
    case "ignored_control":
      return ["debug", "control message ignored", { why: event.why }];
    case "warm_up_failed":
      return ["warn", "agent left while warming up: most likely its model could not be loaded"];
    case "link_closed":
      return tellEnd(event);
    case "window_expired":
      return ["warn", "agent did not come back in time", { session: event.sessionId }];
    case "simulator_refused":
    case "simulator_connected":
    case "simulator_gone":
      return tellSimulator(event);
    default:
      return tellCaseOrFault(event);
  }
}

function tellSimulator(event: Extract<GatewayEvent, PolicyDoorEvent>): Told {
  const { dialect, peer } = event;
  switch (event.type) {
    case "simulator_refused":
      return ["warn", "simulator refused", { dialect, peer, status: event.status, why: event.says }];
    case "simulator_connected": {
      const { board, caseId, resumed } = event;
      return [
        "info",
        resumed ? "simulator is back" : "simulator connected",
        { dialect, peer, board, caseId },
      ];
    }
    case "simulator_gone": {
      const { board, code, reason, by } = event;
      return [by === "fault" ? "warn" : "info", "simulator gone", { dialect, peer, board, code, reason, by }];
    }
  }
}

function tellEnd({ code, reason, windowOpen }: Extract<GatewayEvent, { type: "link_closed" }>): Told {
  const more = { code, word: findCloseWord(code), reason };
  return windowOpen ? ["warn", "link lost, the agent is awaited", more] : ["info", "agent gone", more];
}

type CaseOrFault = Extract<
  GatewayEvent,
  { type: "case_began" | "case_ended" | "job_ended" | "job_waits" | `${string}_fault` }
>;

function tellCaseOrFault(event: CaseOrFault): Told {
  switch (event.type) {
    case "case_began": {
      const { sessionId: session, resumed, spec } = event;
      return ["info", resumed ? "case goes on" : "case began", { session, ...nameCase(spec) }];
    }
    case "case_ended": {
      const { sessionId: session, spec, failure, detail, score, retried } = event;
      const more = { session, ...nameCase(spec), failure, detail, score };
      if (failure === undefined) return ["info", "case ended", more];
      return ["warn", retried ? "case failed, it is begun again" : "case failed", more];
    }
    case "job_ended":
      return ["info", "job ended", { outcome: event.outcome }];
    case "job_waits":
      return ["warn", event.why];
    default:
      return ["error", event.type.replace("_", " "), { why: event.why }];
  }
}

function nameCase({ id, board, task, index }: Extract<GatewayEvent, { type: "case_began" }>["spec"]) {
  return { case: id, board, task, index };
}
