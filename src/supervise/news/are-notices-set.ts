import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfigFile } from "../../config/read-file.ts";
import { findPersonalHome } from "../../disk/home.ts";
import { FEISHU_PLACES } from "../../notify/settings/feishu-places.ts";
import type { Desk } from "../desk.ts";

const VARIABLES = ["SORTIE_NOTIFY_WEBHOOK", "SORTIE_NOTIFY_DESKTOP"];

/**
 * Whether anything is there that may ask for notices, whatever is in it. Where nothing is this costs a look at each place, and
 * whoever asks does nothing more.
 */
export function areNoticesSet({ env, home }: Pick<Desk, "env" | "home">): boolean {
  if (VARIABLES.some((name) => env[name])) return true;
  const person = findPersonalHome(env);
  return FEISHU_PLACES.some((place) => existsSync(join(person, place))) || isNamedIn(home.config);
}

/** Every spelling of the keys has this word in it: the file is parsed only where it has. */
function isNamedIn(file: string): boolean {
  const reading = readConfigFile(file);
  return reading.state === "text" && /notify/i.test(reading.text);
}
