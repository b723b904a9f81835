import { isLoopbackHost } from "../base/loopback.ts";
import { makePrintable } from "../base/printable.ts";

/** What is wrong with an address that notices shall go to, a clause that repeats nothing of it; undefined where nothing is. */
export function findAddressFault(text: string): string | undefined {
  if (!URL.canParse(text)) return "it cannot be read as a URL";
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return "there is a user name or a password in it";
  if (protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname))) return undefined;
  return protocol === "http:" ? "it is not encrypted (http://)" : `${protocol}// is no address of the web`;
}

/** An address for people and logs: its path is often all that is needed to post there, so it is left out. */
export function showAddress(text: string): string {
  return URL.canParse(text) ? makePrintable(`${new URL(text).origin}/…`) : "…";
}

/** What of an address must not be shown: the whole, and the last part of its path, which is the token of most services. */
export function listAddressSecrets(text: string): string[] {
  const last = URL.canParse(text) ? (new URL(text).pathname.split("/").filter(Boolean).at(-1) ?? "") : "";
  return last.length < 8 ? [text] : [text, last];
}
