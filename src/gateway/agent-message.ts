import { describeIgnored, isSentBy, parseControl } from "../wire/control.ts";
import { describeFrameFault, findFrameKind } from "../wire/frame.ts";
import { decodeFragments, joinFragments } from "../wire/message.ts";
import { isSameSession } from "../wire/session-id.ts";
import type { Session } from "./session.ts";

/** A text frame of an agent as it counts. `notice`: what is to be logged though the message counts. */
export type AgentControl =
  | { readonly type: "ready"; readonly notice?: string }
  | {
      readonly type: "session_close";
      readonly sessionId: string;
      readonly reason?: string;
      readonly notice?: string;
    }
  | { readonly type: "ignored"; readonly why: string };

/** Reads a text frame of an agent. Never throws: what is not understood, or not an agent's to say, is ignored. */
export function readAgentControl(text: string): AgentControl {
  const message = parseControl(text);
  if (message.ignored !== undefined) return { type: "ignored", why: describeIgnored(message) };
  const { type, repeated } = message;
  if (!isSentBy("agent", type)) return { type: "ignored", why: `"${type}", which no agent says` };
  const notice = repeated && `"${type}" with the key "${repeated[0]}" more than once: the last one counts`;
  if (type === "session_close") {
    return { type, sessionId: message.sessionId, reason: message.reason, notice };
  }
  return { type: "ready", notice };
}

/**
 * A binary frame of an agent. `empty` is the answer to a probe: without a payload it is an action only where its
 * session waits for one.
 */
export type AgentFrame =
  | { readonly type: "malformed"; readonly why: string }
  | { readonly type: "empty"; readonly sidBytes: number }
  | { readonly type: "unknown_session"; readonly sid: Uint8Array; readonly bytes: number }
  | { readonly type: "reply"; readonly session: Session; readonly payload: Uint8Array };

/** Reads a binary frame against the session that is open, if one is. Never throws; the payload is a view. */
export function readAgentFrame(fragments: readonly Uint8Array[], session: Session | undefined): AgentFrame {
  const frame = decodeFragments(fragments);
  if (frame.fault !== undefined) {
    return { type: "malformed", why: describeFrameFault(frame.fault, joinFragments(fragments)) };
  }
  const { sid, payload } = frame;
  const asked = session !== undefined && isSameSession(sid, session.sid) ? session : undefined;
  if (findFrameKind(frame) === "empty" && !asked?.isWaiting) return { type: "empty", sidBytes: sid.length };
  if (asked === undefined) return { type: "unknown_session", sid, bytes: payload.length };
  return { type: "reply", session: asked, payload };
}
