import type { Environment } from "../supervise/desk.ts";

/** Whether the terminal can show ASCII alone: its locale says no UTF-8. */
export function isPlainLocale(env: Environment): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return !/utf-?8/i.test(locale);
}
