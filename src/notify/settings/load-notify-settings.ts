import { join } from "node:path";
import { FEISHU_PLACES } from "./feishu-places.ts";
import { type FeishuSettings, parseFeishuSettings } from "./parse-feishu-settings.ts";
import { readSettingsFile } from "./read-settings-file.ts";

export interface NotifySettings extends FeishuSettings {
  /** Where they were read. */
  readonly file: string;
}

/**
 * What the person has set for Feishu, in `~/.codex/feishu.json`, else `~/.claude/feishu.json`; null where there is none or
 * its mode is `off`: then nothing at all is to be done. A value `$NAME` is taken from the environment.
 * @throws SortieError `notify_settings_unreadable`, `notify_settings_bad`
 */
export function loadNotifySettings({
  home,
  env,
}: {
  /** The person's own home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): NotifySettings | null {
  for (const place of FEISHU_PLACES) {
    const path = join(home, place);
    const file = readSettingsFile(path);
    if (file === null) continue;
    const settings = parseFeishuSettings(file.text, { file: path, env });
    if (settings === null) return null;
    const open = file.isOpen
      ? [`${path}: other users of this machine can read it, and may post to your group with it: chmod 600`]
      : [];
    return { ...settings, file: path, warnings: [...open, ...settings.warnings] };
  }
  return null;
}
