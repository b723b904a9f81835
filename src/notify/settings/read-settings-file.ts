import { readFileSync, statSync } from "node:fs";
import { SortieError } from "../../base/error.ts";

export interface SettingsFile {
  readonly path: string;
  readonly text: string;
  /** Others than its owner can read it. */
  readonly isOpen: boolean;
}

const MOST_BYTES = 64 * 1024;

/** null: there is none. @throws SortieError `notify_settings_unreadable` */
export function readSettingsFile(path: string): SettingsFile | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    // A pipe would be waited for without end.
    if (!stats.isFile()) throw makeUnreadable(path, "it is no file");
    if (stats.size > MOST_BYTES) throw makeUnreadable(path, "it is far too long for settings");
    const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    return { path, text, isOpen: (stats.mode & 0o044) !== 0 };
  } catch (fault) {
    if (fault instanceof SortieError) throw fault;
    const { code } = Object(fault) as { code?: unknown };
    if (code === "ENOTDIR") return null;
    throw makeUnreadable(
      path,
      code === "EACCES" ? "you may not read it" : String(code ?? "it could not be opened"),
    );
  }
}

function makeUnreadable(file: string, reason: string): SortieError {
  return new SortieError("notify_settings_unreadable", { file, reason });
}
