import { SortieError } from "../base/error.ts";
import { redactText } from "../base/redact.ts";
import { findAddressFault, listAddressSecrets, showAddress } from "./check-address.ts";
import { describeNotice } from "./describe-notice.ts";
import { exchange, type Reply } from "./exchange.ts";
import { makeNoticeKey } from "./notice.ts";
import type { Notifier, SendOutcome } from "./notifier.ts";
import { redactNotice } from "./redact-notice.ts";

const TIMEOUT_MS = 10_000;
/** What the common services take. */
const LIMITS = [{ calls: 1, withinMs: 1_000 }];

/**
 * POSTs `{schema, text, title, kind, keys, at, notices}` as JSON; `text` alone is what the webhooks of chat programs show.
 * @throws SortieError `notify_address_bad`
 */
export function makeWebhookNotifier({
  url,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly url: string;
  readonly timeoutMs?: number;
}): Notifier {
  const reason = findAddressFault(url);
  if (reason)
    throw new SortieError("notify_address_bad", { what: `webhook_url (${showAddress(url)})`, reason });
  const secrets = listAddressSecrets(url);
  return {
    ...{ channel: "webhook", limits: LIMITS },
    send: async (notice, signal) => {
      const shown = redactNotice(notice, secrets);
      const { title, lines } = describeNotice(shown);
      const notices = shown.kind === "digest" ? shown.notices : [shown];
      const body = JSON.stringify({
        ...{ schema: 1, text: [title, ...lines].join("\n"), title, kind: notices[0]?.kind },
        ...{ keys: notices.map(makeNoticeKey), at: notices[0]?.at, notices },
      });
      return judgeStatus(await exchange({ method: "POST", url, body, timeoutMs, signal }), secrets);
    },
  };
}

/** By the status alone: what a plain webhook says beside it means nothing in common. */
export function judgeStatus(reply: Reply, secrets: readonly string[]): SendOutcome {
  if (reply.state !== "answered") {
    const state = reply.state === "unsent" ? "busy" : "unsure";
    return { state, reason: redactText(reply.reason, secrets) };
  }
  const { status, head } = reply;
  if (status >= 200 && status < 300) return { state: "sent" };
  const reason = `it answered with status ${status}`;
  // A gateway that gave up waiting does not know what became of it.
  if (status === 504) return { state: "unsure", reason };
  if (status >= 500 || status === 429 || status === 408) {
    return { state: "busy", reason, ...(head.retryAfterMs !== null && { retryAfterMs: head.retryAfterMs }) };
  }
  return { state: "refused", reason: status < 400 ? `${reason}, a redirect that is not followed` : reason };
}
