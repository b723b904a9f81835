import { SortieError } from "../base/error.ts";
import { isShape, isText, parseJson } from "../base/shape.ts";
import { showUrl } from "../base/show-url.ts";
import { exchange } from "./api/exchange.ts";
import { findBaseUrlFault } from "./base-url.ts";

/** A new login token, or why there is none, a clause for people. */
export type Refreshed =
  | { readonly token: string; readonly fault?: undefined }
  /** `isPassing`: the server was not reached, or is in trouble: it may be asked again. */
  | { readonly fault: string; readonly isPassing: boolean; readonly token?: undefined };

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 1024;
const isReply = isShape<{ token: string }>({ token: isText });

/** Asks once for a new login token in exchange for an old one. Never throws. */
export async function refreshLogin(
  baseUrl: string,
  token: string,
  { timeoutMs = TIMEOUT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Refreshed> {
  if (findBaseUrlFault(baseUrl) !== undefined)
    return { fault: `${showUrl(baseUrl)} is no http:// or https:// address`, isPassing: false };
  const url = `${baseUrl.replace(/\/+$/, "")}/api/challenge/login/refresh`;
  const limits = { timeoutMs, mostBytes: MOST_BYTES, ...(signal && { signal }) };
  try {
    const { shown, status, text } = await exchange({ method: "GET", url, token, ...limits });
    if (status !== 200)
      return { fault: `${shown} answered with ${status}`, isPassing: status === 429 || status >= 500 };
    const body = parseJson(text, isReply);
    if (body === null || !/^[\x21-\x7e]+$/.test(body.token) || body.token === "null")
      return { fault: `${shown} gave no token: log in again`, isPassing: false };
    return { token: body.token };
  } catch (thrown) {
    if (!(thrown instanceof SortieError)) throw thrown;
    return { fault: thrown.message.replace(/\.$/, ""), isPassing: thrown.retryable };
  }
}
