import type { Clock } from "../../base/clock.ts";
import { SortieError } from "../../base/error.ts";
import { findAddressFault, listAddressSecrets, showAddress } from "../check-address.ts";
import { describeNotice } from "../describe-notice.ts";
import { exchange } from "../exchange.ts";
import type { Digest, Notice } from "../notice.ts";
import type { Notifier } from "../notifier.ts";
import { redactNotice } from "../redact-notice.ts";
import { judgeReply } from "./judge-reply.ts";
import { makeCard } from "./make-card.ts";
import { makeSignature } from "./sign.ts";

const TIMEOUT_MS = 10_000;
/** Of one bot, by the vendor's "Custom bot usage guide". */
const LIMITS = [
  { calls: 5, withinMs: 1_000 },
  { calls: 100, withinMs: 60_000 },
];

export interface FeishuBot {
  readonly webhookUrl: string;
  readonly secret: string | null;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

/** Cards by the webhook of a custom bot of Feishu or Lark. @throws SortieError `notify_address_bad` */
export function makeFeishuNotifier({
  webhookUrl,
  secret,
  clock,
  timeoutMs = TIMEOUT_MS,
}: FeishuBot): Notifier {
  const reason = findAddressFault(webhookUrl);
  if (reason) {
    throw new SortieError("notify_address_bad", { what: `webhook_url (${showAddress(webhookUrl)})`, reason });
  }
  const secrets = [...listAddressSecrets(webhookUrl), ...(secret === null ? [] : [secret])];
  const send = async (notice: Notice | Digest, signal?: AbortSignal) => {
    const card = makeCard(describeNotice(redactNotice(notice, secrets)));
    const signature = secret === null ? {} : makeSignature(secret, clock.now());
    const body = JSON.stringify({ ...signature, msg_type: "interactive", card });
    const reply = await exchange({ method: "POST", url: webhookUrl, body, timeoutMs, signal });
    return judgeReply(reply, { secrets, now: clock.now() });
  };
  return { channel: "feishu", limits: LIMITS, send };
}
