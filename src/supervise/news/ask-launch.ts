import { SortieError } from "../../base/error.ts";
import { findPersonalHome } from "../../disk/home.ts";
import { askQuestion } from "../../notify/bridge/ask-question.ts";
import { listNotifySecrets } from "../../notify/make-notifiers.ts";
import { loadNotifySettings } from "../../notify/settings/load-notify-settings.ts";
import type { BridgeSettings } from "../../notify/settings/parse-feishu-settings.ts";
import type { Desk } from "../desk.ts";

const YES = "launch";
const NO = "leave it";

/** Over which a person is asked. */
export interface Bridge extends BridgeSettings {
  readonly secrets: readonly string[];
}

/** What the person said. Only `isYes` is a yes. */
export interface Said {
  readonly isYes: boolean;
  /** null: no answer that counts. */
  readonly option: string | null;
  readonly by: string | null;
  /** A clause for people. */
  readonly reason: string;
}

/** @throws notify_not_interactive, notify_settings_unreadable, notify_settings_bad */
export function loadBridge({ env }: Pick<Desk, "env">): Bridge {
  const settings = loadNotifySettings({ home: findPersonalHome(env), env });
  if (settings?.mode === "interactive" && settings.bridge !== null) {
    return { ...settings.bridge, secrets: listNotifySecrets(settings, null) };
  }
  const reason =
    settings === null
      ? "it is not set up, or its mode is off"
      : `the mode in ${settings.file} is ${settings.mode}`;
  throw new SortieError("notify_not_interactive", { reason });
}

/** Asks whether a plan is to be carried out, and waits as long as the settings say. No answer is never a yes. */
export async function askLaunch(
  desk: Desk,
  bridge: Bridge,
  {
    plan,
    lines,
    signal,
  }: { readonly plan: string; readonly lines: readonly string[]; readonly signal: AbortSignal },
): Promise<Said> {
  const question = { plan, title: `Carry out plan ${plan}?`, lines, options: [YES, NO] };
  const answer = await askQuestion(question, { bridge, clock: desk.clock, signal, secrets: bridge.secrets });
  if (answer.option === null) return { isYes: false, option: null, by: null, reason: answer.reason };
  const { option, by } = answer;
  const isYes = option === YES && answer.plan === plan;
  return { isYes, option, by, reason: `the answer was "${option}"${by === null ? "" : `, by ${by}`}` };
}
