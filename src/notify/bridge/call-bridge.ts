import { makePrintable } from "../../base/printable.ts";
import { redactText } from "../../base/redact.ts";
import { isObject } from "../../base/shape.ts";
import { exchange, type Reply } from "../exchange.ts";

const MOST_SHOWN = 200;

/** What a bridge answered, as JSON; `reason` where it did not. */
export type BridgeReply =
  | { readonly body: Readonly<Record<string, unknown>>; readonly status: number }
  | { readonly body: null; readonly reply: Reply; readonly reason: string };

export interface BridgeCall {
  readonly path: string;
  /** Sent by POST; absent: GET. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** One call of a Feishu bridge: a service of the person's own that sends cards and takes replies. It never throws. */
export async function callBridge(url: string, call: BridgeCall): Promise<BridgeReply> {
  const reply = await exchange({
    ...{ method: call.body === undefined ? "GET" : "POST", url: `${url}${call.path}` },
    ...{ timeoutMs: call.timeoutMs, signal: call.signal },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  });
  if (reply.state !== "answered") return { body: null, reply, reason: reply.reason };
  const body = parseBody(reply.text);
  if (body === null) return { body, reply, reason: "its answer is no JSON object" };
  return { body, status: reply.status };
}

/** What a bridge says went wrong, in words for people; null: nothing. */
export function readBridgeFault(body: Readonly<Record<string, unknown>>): string | null {
  const fault = body["error"] ?? null;
  return fault === null ? null : showWords(fault);
}

/** What stands in a bridge's answer, whatever it is, as it may be shown. */
export function showWords(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return makePrintable(redactText(text).slice(0, MOST_SHOWN));
}

function parseBody(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // a web page, or half a reply
  }
}
