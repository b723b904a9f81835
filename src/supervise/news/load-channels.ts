import { formatIssue } from "../../config/issue.ts";
import { loadPersonalSettings } from "../../config/load-personal.ts";
import { findPersonalHome } from "../../disk/home.ts";
import { makeDesktopNotifier } from "../../notify/desktop-notifier.ts";
import { listNotifySecrets, makeNotifiers } from "../../notify/make-notifiers.ts";
import type { Notifier } from "../../notify/notifier.ts";
import { loadNotifySettings, type NotifySettings } from "../../notify/settings/load-notify-settings.ts";
import type { Desk } from "../desk.ts";

/** The ways that are set to tell the person something. */
export interface Channels {
  readonly notifiers: readonly Notifier[];
  /** null: there is no file, or its mode is `off`. */
  readonly feishu: NotifySettings | null;
  /** What stands in no notice and no log. */
  readonly secrets: readonly string[];
  /** Sentences for people, without secrets. */
  readonly warnings: readonly string[];
}

/** @throws notify_settings_unreadable, notify_settings_bad, notify_address_bad */
export async function loadChannels(
  desk: Pick<Desk, "env" | "home" | "clock" | "runner">,
  { platform = process.platform }: { platform?: NodeJS.Platform } = {},
): Promise<Channels> {
  const { env, home, clock, runner } = desk;
  const feishu = loadNotifySettings({ home: findPersonalHome(env), env });
  const own = await loadPersonalSettings({ file: home.config, env });
  const webhookUrl = own.resolve("notify_webhook");
  const wantsDesktop = own.resolve("notify_desktop");
  const desktop = wantsDesktop ? makeDesktopNotifier({ runner, env, platform }) : null;
  const noDesktop =
    wantsDesktop && desktop === null
      ? ["notify_desktop: no desktop is seen from here, or `notify-send` is not installed"]
      : [];
  return {
    notifiers: makeNotifiers({ feishu, webhookUrl, desktop, clock }),
    feishu,
    secrets: listNotifySecrets(feishu, webhookUrl),
    warnings: [...(feishu?.warnings ?? []), ...own.warnings.map(formatIssue), ...noDesktop],
  };
}
