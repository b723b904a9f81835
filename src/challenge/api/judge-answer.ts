import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import type { Answer } from "./exchange.ts";

const MOST_SHOWN = 160;
const MOST_REFUSAL = 2_000;

interface JudgeOptions<T> {
  readonly read: (body: unknown) => T;
  readonly bare?: boolean;
  readonly secrets: readonly string[];
}

/**
 * The value of a reply, or the fault that it is.
 * @throws SortieError `challenge_refused`, `challenge_fault`, `challenge_job_id_wrong`, `challenge_reply_unreadable`,
 * `challenge_reply_wrong`
 */
export function judgeAnswer<T>(answer: Answer, { read, bare = false, secrets }: JudgeOptions<T>): T {
  const { shown: url, status } = answer;
  if (status >= 400) throw makeRefusal(answer, secrets);
  if (status >= 300)
    throw new SortieError("challenge_refused", { url, status, text: "a redirect to nowhere." });
  const came = showStart(answer.text, secrets);
  const body = parseBody(answer, bare, came);
  try {
    return read(body);
  } catch (thrown) {
    if (!(thrown instanceof SortieError) || thrown.code !== "challenge_reply_wrong") throw thrown;
    if (isRefusal(body)) throw makeRefusal(answer, secrets);
    throw new SortieError("challenge_reply_wrong", { ...thrown.details, url, came });
  }
}

function parseBody({ shown: url, text }: Answer, bare: boolean, came: string): unknown {
  const refuse = (what: string) => new SortieError("challenge_reply_unreadable", { url, what, came });
  if (/^\s*<(!doctype|html|head|body|\?xml)/i.test(text)) throw refuse("a web page");
  try {
    return JSON.parse(text) as unknown;
  } catch (fault) {
    if (bare) return text;
    if (text.trim() === "") throw refuse("nothing");
    const isCut = /end of JSON input|Unterminated/i.test(String(fault));
    throw refuse(isCut ? "JSON that breaks off" : "text that is no JSON");
  }
}

/** Some refusals come with 200. */
function isRefusal(body: unknown): boolean {
  const { status, error } = Object(body) as { status?: unknown; error?: unknown };
  return status === "error" && typeof error === "string";
}

/** What the server says of its refusal, in its own words. */
function makeRefusal({ shown: url, status, text: reply }: Answer, secrets: readonly string[]): SortieError {
  const text = hide(findWords(reply), secrets);
  if (/invalid job_id/i.test(text)) {
    const job = /\/job\/([^/]+)\//.exec(url)?.[1] ?? "what was asked for";
    return new SortieError("challenge_job_id_wrong", { url, status, text, job });
  }
  const code =
    status >= 500 && !/failed to get case exec log/i.test(text) ? "challenge_fault" : "challenge_refused";
  return new SortieError(code, { url, status, text });
}

function findWords(reply: string): string {
  try {
    const { error, message } = Object(JSON.parse(reply)) as { error?: unknown; message?: unknown };
    const words = [error, message].find((one) => typeof one === "string" && one !== "");
    return makePrintable(String(words ?? reply)).slice(0, MOST_REFUSAL);
  } catch {
    return makePrintable(reply.trim()).slice(0, MOST_SHOWN) || "no more was said"; // a web page, or nothing
  }
}

function showStart(text: string, secrets: readonly string[]): string {
  return (
    makePrintable(hide(text.trimStart(), secrets).slice(0, MOST_SHOWN).replace(/\s+/g, " ")) || "nothing"
  );
}

/** Also what looks like a token: a reply that is cut or odd may have a new one in it. */
function hide(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce(
    (shown, secret) => (secret === "" ? shown : shown.replaceAll(secret, "…")),
    text,
  );
  return known
    .replace(/("[^"]*token[^"]*"\s*:\s*")(?!…)[^"]*/gi, "$1…")
    .replace(/[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, "…");
}
