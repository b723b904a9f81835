import type { Clock } from "../../base/clock.ts";
import { redactText } from "../../base/redact.ts";
import { escapeMarkdown } from "../feishu/make-card.ts";
import type { BridgeSettings } from "../settings/parse-feishu-settings.ts";
import { type BridgeReply, callBridge, readBridgeFault } from "./call-bridge.ts";
import { type Answer, type Asked, type Question, readAnswer } from "./read-answer.ts";

const SEND_MS = 10_000;
/** A bridge that waits for the reply answers a little after the time that it was given. */
const MARGIN_MS = 5_000;
const PAUSE_MS = 1_000;

/**
 * Asks a person over the bridge and waits for the answer, for the time that is set and no longer. It never throws, and *no
 * answer is never a yes*: a bridge that is down, slow, confused or asked too late, a reply in other words, to another
 * message, or of somebody who may not answer, are all `option: null`. A question is sent once.
 */
export async function askQuestion(
  question: Question,
  {
    bridge,
    clock,
    signal,
    secrets = [],
  }: {
    readonly bridge: BridgeSettings;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly secrets?: readonly string[];
  },
): Promise<Answer> {
  const { plan } = question;
  const endMs = clock.monotonicMs() + bridge.timeoutMs;
  const body = makeCardBody(question, secrets);
  const timeoutMs = Math.min(SEND_MS, bridge.timeoutMs);
  const sent = await callBridge(bridge.url, { path: "/send", body, timeoutMs, signal });
  const messageId = findMessageId(sent);
  if (messageId === null) return { plan, option: null, reason: describeUnsent(sent) };

  let reason = "nobody answered in time";
  for (;;) {
    const leftMs = endMs - clock.monotonicMs();
    if (signal.aborted) return { plan, option: null, reason: "the question was called off" };
    if (leftMs <= 0) return { plan, option: null, reason };
    const polled = await poll(bridge.url, { messageId, leftMs, signal });
    const fault = findPassingFault(polled);
    if (fault !== null) reason = fault;
    else {
      const answer = judgePoll(polled, { question, messageId, people: bridge.people });
      if (answer !== null) return answer;
    }
    await clock.sleep(Math.min(PAUSE_MS, leftMs), signal);
  }
}

function makeCardBody({ plan, title, lines, options }: Question, secrets: readonly string[]) {
  const text = [...lines, `Plan: ${plan}`, `Reply with one of: ${options.join(", ")}`];
  return {
    ...{ type: "checkpoint", title: redactText(title, secrets), color: "yellow", options, plan },
    body: text.map((line) => escapeMarkdown(redactText(line, secrets))).join("\n"),
  };
}

/** Without the id of the message a reply to anything would count. */
function findMessageId(sent: BridgeReply): string | null {
  if (sent.body === null || sent.status >= 300 || readBridgeFault(sent.body) !== null) return null;
  const id = sent.body["message_id"];
  return typeof id === "string" && id !== "" && id.length <= 200 ? id : null;
}

function describeUnsent(sent: BridgeReply): string {
  if (sent.body === null) return `the bridge did not take the question: ${sent.reason}`;
  const words =
    readBridgeFault(sent.body) ?? (sent.status >= 300 ? `status ${sent.status}` : "it gave no message_id");
  return `the bridge did not take the question: ${words}`;
}

function poll(
  url: string,
  { messageId, leftMs, signal }: { messageId: string; leftMs: number; signal: AbortSignal },
): Promise<BridgeReply> {
  const query = new URLSearchParams({ message_id: messageId, timeout: String(Math.ceil(leftMs / 1000)) });
  return callBridge(url, { path: `/poll?${query}`, timeoutMs: leftMs + MARGIN_MS, signal });
}

/** What may be over when it is asked again; null: it answered. */
function findPassingFault(polled: BridgeReply): string | null {
  if (polled.body === null && polled.reply.state !== "answered") {
    return `the bridge could not be asked: ${polled.reason}`;
  }
  return polled.body !== null && polled.status >= 500
    ? `the bridge answered with status ${polled.status}`
    : null;
}

function judgePoll(polled: BridgeReply, asked: Asked): Answer | null {
  const none = (reason: string): Answer => ({ plan: asked.question.plan, option: null, reason });
  if (polled.body === null) return none(`the bridge cannot be understood: ${polled.reason}`);
  const isRefusal = polled.status >= 300 && readBridgeFault(polled.body) === null;
  return isRefusal
    ? none(`the bridge answered with status ${polled.status}`)
    : readAnswer(polled.body, asked);
}
