import type { Clock } from "../base/clock.ts";
import { makeBridgeNotifier } from "./bridge/bridge-notifier.ts";
import { listAddressSecrets } from "./check-address.ts";
import { makeFeishuNotifier } from "./feishu/feishu-notifier.ts";
import type { Notifier } from "./notifier.ts";
import type { NotifySettings } from "./settings/load-notify-settings.ts";
import { makeWebhookNotifier } from "./webhook-notifier.ts";

/**
 * Every way that is set to tell a person something; empty where nothing is. Where Feishu is interactive without a webhook,
 * its bridge brings the cards. @throws SortieError `notify_address_bad`
 */
export function makeNotifiers({
  feishu,
  webhookUrl,
  desktop,
  clock,
}: {
  readonly feishu: NotifySettings | null;
  readonly webhookUrl: string | null;
  readonly desktop: Notifier | null;
  readonly clock: Clock;
}): readonly Notifier[] {
  return [
    ...(feishu === null ? [] : makeFeishu(feishu, clock)),
    ...(webhookUrl === null ? [] : [makeWebhookNotifier({ url: webhookUrl })]),
    ...(desktop === null ? [] : [desktop]),
  ];
}

/** What must not appear in any notice beside what looks like a secret. */
export function listNotifySecrets(feishu: NotifySettings | null, webhookUrl: string | null): string[] {
  const addresses = [feishu?.webhookUrl, webhookUrl].filter((one) => typeof one === "string");
  return [...addresses.flatMap(listAddressSecrets), ...(feishu?.secret ? [feishu.secret] : [])];
}

function makeFeishu({ webhookUrl, secret, bridge }: NotifySettings, clock: Clock): Notifier[] {
  if (webhookUrl !== null) return [makeFeishuNotifier({ webhookUrl, secret, clock })];
  return bridge === null ? [] : [makeBridgeNotifier({ url: bridge.url })];
}
