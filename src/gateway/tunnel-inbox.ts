import { showSessionId } from "../wire/session-id.ts";
import { type AgentControl, readAgentControl, readAgentFrame } from "./agent-message.ts";
import type { TunnelReport } from "./gateway-event.ts";
import type { Session } from "./session.ts";

/** What the messages of an agent need of its tunnel. */
export interface InboxTunnel {
  readonly state: string;
  readonly session: Session | undefined;
  report(event: TunnelReport): void;
  /** False where `ready` is no legal move. */
  becomeReady(): boolean;
  /** False where this session is not the open one. */
  endByAgent(sessionId: string, reason: string | undefined): boolean;
  /** Ends the link over a frame that cannot be. */
  refuseFrame(why: string): void;
}

/** Takes a binary frame of an agent. */
export function takeFrame(tunnel: InboxTunnel, fragments: readonly Uint8Array[]): void {
  const frame = readAgentFrame(fragments, tunnel.session);
  switch (frame.type) {
    case "malformed":
      tunnel.refuseFrame(frame.why);
      return;
    case "empty":
      tunnel.report({ type: "empty_reply", sidBytes: frame.sidBytes });
      return;
    case "unknown_session": {
      const { sid, bytes } = frame;
      tunnel.report({ type: "reply_unknown_session", sessionId: showSessionId(sid), bytes });
      return;
    }
    case "reply": {
      const { payload, session } = frame;
      const asked = session.receive(payload);
      tunnel.report({ type: "reply", sessionId: session.sessionId, payload, asked });
    }
  }
}

/** Takes a text frame of an agent. What means nothing is told and changes nothing. */
export function takeText(tunnel: InboxTunnel, text: string): void {
  const why = applyControl(tunnel, readAgentControl(text));
  if (why !== undefined) tunnel.report({ type: "ignored_control", why });
}

/** Does what a message asks for; why it does not count, or not as it stands, where that is so. */
function applyControl(tunnel: InboxTunnel, control: AgentControl): string | undefined {
  switch (control.type) {
    case "ignored":
      return control.why;
    case "ready": {
      const { state } = tunnel;
      return tunnel.becomeReady() ? control.notice : `"ready" of an agent whose tunnel is ${state}`;
    }
    case "session_close":
      return tunnel.endByAgent(control.sessionId, control.reason)
        ? control.notice
        : '"session_close" of a session that is not open';
  }
}
