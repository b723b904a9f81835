import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import type { Answer } from "./exchange.ts";
import { hideSecrets } from "./hide-secrets.ts";

const MOST_SHOWN = 160;
const MOST_REFUSAL = 2_000;
/** No reply of the API is nested so deep; one that is could not be printed again. */
const MOST_DEPTH = 100;

interface JudgeOptions<T> {
  readonly read: (body: unknown) => T;
  readonly bare?: boolean;
  readonly secrets: readonly string[];
}

/**
 * The value of a reply, or the fault that it is.
 * @throws SortieError `challenge_refused`, `challenge_busy`, `challenge_fault`, `challenge_job_id_wrong`,
 * `challenge_reply_unreadable`, `challenge_reply_wrong`
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
    const body: unknown = JSON.parse(text);
    if (isDeeper(body, MOST_DEPTH)) throw refuse("JSON that is nested too deep");
    return body;
  } catch (fault) {
    if (fault instanceof SortieError) throw fault;
    if (bare) return text;
    if (text.trim() === "") throw refuse("nothing");
    const isCut = /end of JSON input|Unterminated/i.test(String(fault));
    throw refuse(isCut ? "JSON that breaks off" : "text that is no JSON");
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** Some refusals come with 200. */
function isRefusal(body: unknown): boolean {
  const { status, error } = Object(body) as { status?: unknown; error?: unknown };
  return status === "error" && typeof error === "string";
}

/** What the server says of its refusal, in its own words. */
function makeRefusal({ shown: url, status, text: reply }: Answer, secrets: readonly string[]): SortieError {
  const text = findWords(reply, secrets);
  if (/invalid job_id/i.test(text)) {
    const job = /\/job\/([^/]+)\//.exec(url)?.[1] ?? "what was asked for";
    return new SortieError("challenge_job_id_wrong", { url, status, text, job });
  }
  if (status === 429) return new SortieError("challenge_busy", { url, status, text });
  const isTrouble = status >= 500 && !/failed to get case exec log/i.test(text);
  return new SortieError(isTrouble ? "challenge_fault" : "challenge_refused", { url, status, text });
}

/** Hidden first: a token that is cut is still a part of one. */
function findWords(reply: string, secrets: readonly string[]): string {
  try {
    const { error, message } = Object(JSON.parse(reply)) as { error?: unknown; message?: unknown };
    const words = [error, message].find((one) => typeof one === "string" && one !== "");
    return makePrintable(hideSecrets(String(words ?? reply), secrets).slice(0, MOST_REFUSAL));
  } catch {
    const start = hideSecrets(reply.trim(), secrets).slice(0, MOST_SHOWN);
    return makePrintable(start) || "no more was said"; // a web page, or nothing
  }
}

function showStart(text: string, secrets: readonly string[]): string {
  const start = hideSecrets(text.trimStart(), secrets).slice(0, MOST_SHOWN);
  return makePrintable(start.replace(/\s+/g, " ")) || "nothing";
}
