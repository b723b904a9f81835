import { type SortieError, toSortieError } from "../../base/error.ts";
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
  /** null: there is no file, its mode is `off`, or it cannot be read. */
  readonly feishu: NotifySettings | null;
  /** What stands in no notice and no log. */
  readonly secrets: readonly string[];
  /**
   * Settings that cannot be used; the channels of the others are there all the same: `notify_settings_unreadable`,
   * `notify_settings_bad`, `notify_address_bad`.
   */
  readonly faults: readonly SortieError[];
  /** Sentences for people, without secrets. */
  readonly warnings: readonly string[];
}

/** Reads what is set, anew. It throws nothing that is wrong in it. */
export async function loadChannels(desk: Pick<Desk, "env" | "home" | "clock" | "runner">): Promise<Channels> {
  const { env, home, clock, runner } = desk;
  const faults: SortieError[] = [];
  const attempt = <Result>(work: () => Result): Result | null => {
    try {
      return work();
    } catch (fault) {
      faults.push(toSortieError(fault));
      return null;
    }
  };
  const own = await loadPersonalSettings({ file: home.config, env });
  const webhookUrl = own.resolve("notify_webhook");
  const wantsDesktop = own.resolve("notify_desktop");
  const desktop = wantsDesktop ? makeDesktopNotifier({ runner, env, platform: process.platform }) : null;
  const feishu = attempt(() => loadNotifySettings({ home: findPersonalHome(env), env }));
  const notifiers = [
    attempt(() => makeNotifiers({ feishu, webhookUrl: null, desktop: null, clock })),
    attempt(() => makeNotifiers({ feishu: null, webhookUrl, desktop, clock })),
  ];
  const noDesktop = "notify_desktop: no desktop is seen from here, or `notify-send` is not installed";
  return {
    notifiers: notifiers.flatMap((some) => some ?? []),
    ...{ feishu, faults, secrets: listNotifySecrets(feishu, webhookUrl) },
    warnings: [
      ...(feishu?.warnings ?? []),
      ...own.warnings.map(formatIssue),
      ...(wantsDesktop && desktop === null ? [noDesktop] : []),
    ],
  };
}
