import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { SortieError } from "../../base/error.ts";
import { isLoopbackHost } from "../../base/loopback.ts";
import { showUrl } from "../../base/show-url.ts";

export interface VastKey {
  readonly key: string;
  /** `VAST_API_KEY`, or the file it came from. */
  readonly source: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PUBLIC_URL = "https://console.vast.ai";

/**
 * The account's key, from where the vendor's own CLI has it: `VAST_API_KEY`, else its file, else its older file.
 * @throws SortieError `vast_key_missing`, `vast_key_unusable`
 */
export function findVastKey(env: Environment): VastKey {
  const home = env["HOME"] || homedir();
  const configured = env["XDG_CONFIG_HOME"] ?? "";
  const config = isAbsolute(configured) ? configured : join(home, ".config");
  const [file, oldFile] = [join(config, "vastai", "vast_api_key"), join(home, ".vast_api_key")];
  const key = env["VAST_API_KEY"]?.trim();
  if (key) return checkKey({ key, source: "VAST_API_KEY" });
  for (const source of [file, oldFile]) {
    const found = readKey(source);
    if (found !== null) return checkKey({ key: found, source });
  }
  throw new SortieError("vast_key_missing", { file, oldFile });
}

/** The server's address, without a slash at its end. @throws SortieError `vast_url_unusable` */
export function findVastUrl(env: Environment): string {
  const named = env["VAST_URL"]?.trim();
  if (!named) return PUBLIC_URL;
  const refuse = (reason: string) => new SortieError("vast_url_unusable", { url: showUrl(named), reason });
  if (!URL.canParse(named)) throw refuse("that is no address");
  const url = new URL(named);
  if (url.username !== "" || url.password !== "") throw refuse("a user or password does not belong into it");
  if (url.search !== "" || url.hash !== "") throw refuse("it is to be a server, without a query");
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
  if (!isSafe) throw refuse("only https:// keeps the key secret on the way");
  return url.href.replace(/\/+$/, "");
}

/** Null where there is none, or nothing in it. @throws SortieError `vast_key_unusable` */
function readKey(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim() || null;
  } catch (thrown) {
    const { code } = Object(thrown) as { code?: string };
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new SortieError("vast_key_unusable", { source: file, reason: `it cannot be read (${code})` });
  }
}

function checkKey(found: VastKey): VastKey {
  if (/^[\x21-\x7e]+$/.test(found.key)) return found;
  throw new SortieError("vast_key_unusable", { source: found.source, reason: "it is not one word" });
}
