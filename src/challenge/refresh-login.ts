import { describeFault } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import { isShape, isText, parseJson } from "../base/shape.ts";
import { showUrl } from "../base/show-url.ts";
import { DEFAULT_BASE_URL, isLoopbackUrl } from "./addresses.ts";
import type { StateFile } from "./state-file.ts";

/** A new login token, or why there is none, a clause for people. */
export type Refreshed =
  | { readonly token: string; readonly fault?: undefined }
  /** `isPassing`: the server was not reached, or is in trouble: it may be asked again. */
  | { readonly fault: string; readonly isPassing: boolean; readonly token?: undefined };

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 1024;
const isReply = isShape<{ token: string }>({ token: isText });

/**
 * The address of the challenge's HTTP API: `SORTIE_CHALLENGE_URL`, else the state file's, else the default; null for a
 * gateway on this machine of which none of them tells: its tokens are nothing to show to the challenge's own server.
 */
export function findBaseUrl(
  env: Readonly<Record<string, string | undefined>>,
  state: StateFile,
  tunnelUrl: string,
): string | null {
  const named = env["SORTIE_CHALLENGE_URL"] || state.values.BASE_URL;
  return named || (isLoopbackUrl(tunnelUrl) ? null : DEFAULT_BASE_URL);
}

/** Asks for a new login token in exchange for an old one. Follows no redirect and asks once. Never throws. */
export async function refreshLogin(baseUrl: string, token: string): Promise<Refreshed> {
  const url = `${baseUrl.replace(/\/+$/, "")}/api/challenge/login/refresh`;
  const shown = showUrl(url);
  if (!isHttpAddress(url))
    return { fault: `${showUrl(baseUrl)} is no http:// or https:// address`, isPassing: false };
  try {
    const reply = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await readText(reply);
    if (reply.status !== 200) {
      const isPassing = reply.status === 429 || reply.status >= 500;
      return { fault: `${shown} answered with ${reply.status}`, isPassing };
    }
    const body = parseJson(text, isReply);
    if (body === null || !/^[\x21-\x7e]+$/.test(body.token))
      return { fault: `${shown} gave no token: log in again`, isPassing: false };
    return { token: body.token };
  } catch (fault) {
    return {
      fault: `${shown} could not be asked: ${makePrintable(describeCause(fault))}`,
      isPassing: true,
    };
  }
}

/** With a name or a password in it, it is none that is ever asked, and the fault would repeat them. */
function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

async function readText(reply: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of reply.body ?? []) {
    bytes += part.length;
    if (bytes > MOST_BYTES) break;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** `fetch failed` alone helps nobody. */
function describeCause(fault: unknown): string {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
  return describeFault(cause);
}
