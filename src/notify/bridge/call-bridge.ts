import { exchange, type Reply } from "../exchange.ts";

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

function parseBody(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null; // a web page, or half a reply
  }
}
