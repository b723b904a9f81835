import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfigSecret } from "../../config/section-values.ts";
import type { Target } from "../../config/target.ts";
import { findPersonalHome } from "../../disk/home.ts";
import { loadConfigFor } from "../choose-target.ts";
import type { Desk } from "../desk.ts";

/** The source of a key that only Sortie finds. */
export const PROJECT_FILE = "the project's file";

/** A key, and where it was found, for people. */
export interface FoundKey {
  readonly key: string;
  readonly source: string;
}

/**
 * The key for a server as W&B's own programs find it on this machine, else that of the project's file, where the section of
 * the target comes first; null: there is none.
 */
export async function findKey(
  desk: Pick<Desk, "env">,
  url: string,
  cwd: string,
  target: string | null = null,
): Promise<FoundKey | null> {
  const set = desk.env["WANDB_API_KEY"];
  if (set) return { key: set, source: "WANDB_API_KEY" };
  const netrc = findInNetrc(desk.env, new URL(url).host);
  if (netrc !== null) return { key: netrc, source: "netrc" };
  const { secrets, targets } = await loadConfigFor(desk, cwd);
  const keys = secrets.filter(({ name }) => name === "wandb_api_key");
  const section = targets.find(({ name }) => name === target);
  const secret = keys.find((key) => section !== undefined && isInSection(key, section)) ?? keys[0];
  return secret ? { key: secret.reveal(), source: PROJECT_FILE } : null;
}

function isInSection({ file, line }: ConfigSecret, { source, lines }: Target): boolean {
  return file === source.file && line >= lines[0] && line <= lines[1];
}

function findInNetrc(env: Desk["env"], host: string): string | null {
  const home = findPersonalHome(env);
  const places = env["NETRC"] ? [env["NETRC"]] : [join(home, ".netrc"), join(home, "_netrc")];
  for (const place of places) {
    try {
      return findPassword(readFileSync(place, "utf8"), host);
    } catch {
      // not there, or closed to us: the next one may be
    }
  }
  return null;
}

/** The password of the machine's entry, else of `default`. */
function findPassword(text: string, host: string): string | null {
  const words = text
    .split("\n")
    .flatMap((line) => line.replace(/(^|\s)#.*$/, "").split(/\s+/))
    .filter(Boolean);
  let isMeant = false;
  for (let at = 0; at < words.length; at += 1) {
    const [word, next] = [words[at], words[at + 1] ?? null];
    if (word === "machine") isMeant = next === host;
    if (word === "default") isMeant = true;
    if (word === "password" && isMeant) return next;
    if (word === "machine" || word === "login" || word === "password" || word === "account") at += 1;
  }
  return null;
}
