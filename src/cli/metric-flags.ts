import type { Environment } from "../supervise/desk.ts";

/** For an option that may stand several times. */
export function addWord(word: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), word];
}

/** Whether the terminal can show ASCII alone: its locale says no UTF-8. */
export function isPlainLocale(env: Environment): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return !/utf-?8/i.test(locale);
}
