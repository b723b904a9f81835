import { describeNotice } from "../describe-notice.ts";
import { escapeMarkdown } from "../feishu/make-card.ts";
import type { Notifier } from "../notifier.ts";
import { redactNotice } from "../redact-notice.ts";
import { judgeStatus } from "../webhook-notifier.ts";
import { callBridge, readBridgeFault } from "./call-bridge.ts";

const TIMEOUT_MS = 10_000;
const LIMITS = [{ calls: 5, withinMs: 1_000 }];
const MOST_LINES = 100;

/** Cards over a bridge's `POST /send`, for who has no webhook. The address is checked where the settings are read. */
export function makeBridgeNotifier({
  url,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly url: string;
  readonly timeoutMs?: number;
}): Notifier {
  return {
    ...{ channel: "feishu", limits: LIMITS },
    send: async (notice, signal) => {
      const { title, colour, lines } = describeNotice(redactNotice(notice, []));
      const text = lines.slice(0, MOST_LINES).map(escapeMarkdown).join("\n");
      const sent = { type: "card", title, body: text, color: colour };
      const answer = await callBridge(url, { path: "/send", body: sent, timeoutMs, signal });
      if (answer.body === null) {
        const outcome = judgeStatus(answer.reply, []);
        return outcome.state === "sent" ? { state: "unsure", reason: answer.reason } : outcome;
      }
      const fault = readBridgeFault(answer.body);
      if (answer.status < 300 && fault === null) return { state: "sent" };
      const words = fault ?? `status ${answer.status}`;
      return { state: "refused", reason: `the bridge could not send it: ${words}` };
    },
  };
}
