import { SortieError } from "../../../base/error.ts";
import { makePrintable } from "../../../base/printable.ts";
import { redactText } from "../../../base/redact.ts";
import { isObject } from "../../../base/shape.ts";
import { makeUnreadable, type Row, readNumber, readText } from "../read-value.ts";
import type { Reply } from "./exchange.ts";

/** What the vendor says about a fault; its own code is the shortest of it, and null where there is none. */
export interface VendorFault {
  readonly said: string;
  readonly vendorCode: string | null;
  /** An instance that exists all the same. */
  readonly instance: number | null;
}

const MOST_SAID = 300;
/** Longer texts are not looked through for what may be shown. */
const MOST_SEARCHED = 64 * 1024;

/**
 * The reply's JSON where all went well.
 * @throws SortieError `vast_login`, `vast_away` (429, 5xx, a redirect), `vast_refused` (the detail `vendorCode`; `instance`
 * where the vendor names one), `vast_reply_unreadable`
 */
export function judgeReply(reply: Reply, call: string, key: string): unknown {
  const { status } = reply;
  const json = parseReply(reply.text);
  const fault = readFault(reply.text, json, key);
  if (isLoginFault(status, fault)) throw new SortieError("vast_login", { call, status, said: fault.said });
  if (isTrouble(status, fault)) throw makeAway(call, status, fault);
  if (status >= 300 && status < 400)
    throw new SortieError("vast_away", { call, status, reason: `it points elsewhere (${status})` });
  if (status < 200 || status >= 400 || (isObject(json) && json["success"] === false))
    throw new SortieError("vast_refused", { call, status, ...fault });
  if (json === undefined) throw makeUnreadable(`the reply to \`${call}\` is no JSON: ${fault.said}`);
  return json;
}

/** `undefined` where it is no JSON. */
function parseReply(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // plain text, or a page of a proxy in between
  }
}

/** Errors are `{success, error, msg}`, or without one or two of them, or with `message`, or plain text. */
function readFault(text: string, json: unknown, key: string): VendorFault {
  const row: Row = isObject(json) ? json : {};
  const vendorCode = readText(row["error"]);
  const words = readText(row["msg"]) ?? readText(row["message"]);
  const parts = [vendorCode, words].filter((part) => part !== null && part !== "");
  const said = parts.length > 0 ? parts.join(": ") : text;
  return { said: show(said, key), vendorCode, instance: readNumber(row["new_contract"]) };
}

/** On one line, without the key, bounded. */
function show(text: string, key: string): string {
  const hidden = redactText(text.slice(0, MOST_SEARCHED), [key]);
  const line = makePrintable(hidden.replace(/\s+/g, " ").trim());
  if (line === "") return "it says nothing more.";
  return line.length > MOST_SAID ? `${line.slice(0, MOST_SAID)}…` : line;
}

/** A session of a second factor that ended is a 404. */
function isLoginFault(status: number, { said }: VendorFault): boolean {
  return status === 401 || status === 403 || (status === 404 && /session expired/i.test(said));
}

/** What may go well a little later. The quota of a whole day will not. */
function isTrouble(status: number, { vendorCode }: VendorFault): boolean {
  return (status === 429 && vendorCode !== "search_quota_exceeded") || status >= 500;
}

function makeAway(call: string, status: number, { said }: VendorFault): SortieError {
  return new SortieError("vast_away", { call, status, reason: `it answers ${status}: ${said}` });
}

/** The vendor says that there is no such instance; another 404 may be anything. */
export function isInstanceGone(thrown: unknown): boolean {
  if (!(thrown instanceof SortieError) || thrown.code !== "vast_refused") return false;
  const { vendorCode, said, status } = thrown.details;
  if (vendorCode === "no_such_instance") return true;
  return (
    (status === 404 || status === 410) &&
    /no[ _]such[ _]instance|instance \d* ?(was )?not found/i.test(String(said))
  );
}
