import { makePrintable } from "../base/printable.ts";
import { MAX_SESSION_ID_BYTES } from "./frame.ts";
import { scanJson } from "./scan-json.ts";
import { encodeSessionId } from "./session-id.ts";

/** The two ends of a tunnel. */
export type Side = "gateway" | "agent";

/** A text frame of the tunnel that means something: `{"type", "session_id"?, "reason"?, "replies"?}` on the wire. */
export type ControlMessage =
  | { readonly type: "warmup" | "ready" }
  | { readonly type: "queued" | "drain"; readonly reason?: string }
  | { readonly type: "session_open"; readonly sessionId: string }
  | { readonly type: "session_close"; readonly sessionId: string; readonly reason?: string }
  /**
   * After a redial, from our gateway alone, before anything else: how many replies of this session have arrived there,
   * and whether the observation that waits for one follows at once (`resend`; absent: not told).
   */
  | {
      readonly type: "resume";
      readonly sessionId: string;
      readonly replies: number;
      readonly resend?: boolean;
    };

export type ControlType = ControlMessage["type"];

export type IgnoreReason =
  | "too_long"
  | "too_deep"
  | "not_json"
  | "not_object"
  | "no_type"
  | "unknown_type"
  | "bad_session_id"
  | "bad_replies";

/** A text frame that changes nothing. `type` is there where it had one, fit to be printed. */
export interface IgnoredControl {
  readonly ignored: IgnoreReason;
  readonly type?: string;
}

/** `repeated`: keys that stood in the message more than once, of which the last one counted. */
export type ParsedControl =
  | (ControlMessage & { readonly ignored?: undefined; readonly repeated?: readonly string[] })
  | IgnoredControl;

/** Who may send what. A message from the wrong side has no effect. */
export const controlSenders: Readonly<Record<ControlType, readonly Side[]>> = {
  warmup: ["gateway"],
  ready: ["agent"],
  queued: ["gateway"],
  session_open: ["gateway"],
  session_close: ["gateway", "agent"],
  drain: ["gateway"],
  resume: ["gateway"],
};

const MAX_CHARACTERS = 64 * 1024;
const MAX_DEPTH = 32;
const MAX_SHOWN = 64;
const MAX_REASON = 500;

/** Whether this side may send a message of this type. */
export function isSentBy(side: Side, type: ControlType): boolean {
  return controlSenders[type].includes(side);
}

/** Reads a text frame. Never throws; whatever is not understood is ignored, so that a newer peer may say more. */
export function parseControl(text: string): ParsedControl {
  if (text.length > MAX_CHARACTERS) return { ignored: "too_long" };
  const { depth, repeated } = scanJson(text);
  if (depth > MAX_DEPTH) return { ignored: "too_deep" };
  const fields = parseObject(text);
  if (typeof fields === "string") return { ignored: fields };
  const { type } = fields;
  if (typeof type !== "string") return { ignored: "no_type" };
  if (!isControlType(type)) return { ignored: "unknown_type", type: makePrintable(type.slice(0, MAX_SHOWN)) };
  const message = readMessage(type, fields);
  if (message.ignored !== undefined || repeated.length === 0) return message;
  return { ...message, repeated: repeated.map((key) => makePrintable(key.slice(0, MAX_SHOWN))) };
}

/** The text frame of a message. */
export function makeControl(message: ControlMessage): string {
  const { type } = message;
  return JSON.stringify({
    type,
    session_id: "sessionId" in message ? message.sessionId : undefined,
    reason: "reason" in message ? message.reason : undefined,
    replies: "replies" in message ? message.replies : undefined,
    resend: "resend" in message ? message.resend : undefined,
  });
}

/** A sentence for the log about a text frame that was ignored. */
export function describeIgnored({ ignored, type }: IgnoredControl): string {
  const sentences: Record<IgnoreReason, string> = {
    too_long: `a control message of more than ${MAX_CHARACTERS} characters`,
    too_deep: `a control message nested more than ${MAX_DEPTH} deep`,
    not_json: "a control message that is not JSON",
    not_object: "a control message that is not a JSON object",
    no_type: 'a control message without a "type" of text',
    unknown_type: `a control message of the unknown type "${type}"`,
    bad_session_id: `a control message "${type}" whose session_id is no text of 1 to ${MAX_SESSION_ID_BYTES} bytes`,
    bad_replies: `a control message "${type}" whose replies is no count`,
  };
  return sentences[ignored];
}

function parseObject(text: string): Record<string, unknown> | "not_json" | "not_object" {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "not_object";
    return value as Record<string, unknown>;
  } catch {
    return "not_json"; // whatever the parser said, the frame is ignored
  }
}

function isControlType(type: string): type is ControlType {
  return Object.hasOwn(controlSenders, type);
}

function readMessage(
  type: ControlType,
  fields: Record<string, unknown>,
): (ControlMessage & { ignored?: undefined }) | IgnoredControl {
  if (type === "warmup" || type === "ready") return { type };
  const reason = readReason(fields["reason"]);
  if (type === "queued" || type === "drain") return { type, ...reason };
  const sessionId = fields["session_id"];
  if (!isSessionId(sessionId)) return { ignored: "bad_session_id", type };
  if (type === "session_open") return { type, sessionId };
  if (type === "session_close") return { type, sessionId, ...reason };
  const replies = fields["replies"];
  if (!Number.isSafeInteger(replies) || (replies as number) < 0) return { ignored: "bad_replies", type };
  const resend = fields["resend"];
  return { type, sessionId, replies: replies as number, ...(typeof resend === "boolean" && { resend }) };
}

function readReason(reason: unknown): { reason?: string } {
  return typeof reason === "string" ? { reason: makePrintable(reason.slice(0, MAX_REASON)) } : {};
}

/** A lone surrogate has no bytes of its own, so it could not be told from another session's id. */
function isSessionId(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value !== "" &&
    value.length <= MAX_SESSION_ID_BYTES &&
    !/\p{Surrogate}/u.test(value) &&
    encodeSessionId(value).length <= MAX_SESSION_ID_BYTES
  );
}
