import { makePrintable } from "../../base/printable.ts";
import { redactText } from "../../base/redact.ts";
import type { Reply, ReplyHead } from "../exchange.ts";
import type { SendOutcome } from "../notifier.ts";
import { judgeStatus } from "../webhook-notifier.ts";

/** What the codes of a custom bot mean; the vendor gives them with HTTP 200. */
const REFUSALS: Readonly<Record<number, string>> = {
  19001: "the webhook address names no bot; copy it again from the bot's page in the group",
  19002: "it takes the message for incomplete",
  19021:
    "the signature is wrong or the time too old; compare `secret` with the bot's page, and check this machine's clock",
  19022: "this machine's IP address is not on the bot's list",
  19024: "the bot wants a keyword; `Sortie` is in every card: make that its keyword",
};

/** 9499 stands for a malformed request and for too many of them. */
const BUSY: Readonly<Record<number, string>> = {
  9499: "it calls the request bad, or comes too often",
  11232: "too many messages at this time",
  99991400: "too many messages at this time",
};

/** An answer of a bot: only code 0 says that the card was taken, whatever the status is. */
export function judgeReply(
  reply: Reply,
  { secrets, now }: { secrets: readonly string[]; now: Date },
): SendOutcome {
  if (reply.state !== "answered") return judgeStatus(reply, secrets);
  const said = readCode(reply.text);
  const isGood = reply.status >= 200 && reply.status < 300;
  if (said === null) {
    if (!isGood) return judgeStatus(reply, secrets);
    return { state: "unsure", reason: "its answer cannot be read: the address may be that of a web page" };
  }
  if (said.code === 0) return isGood ? { state: "sent" } : judgeStatus(reply, secrets);
  const words = makePrintable(redactText(said.words, secrets).slice(0, 200));
  const meaning = REFUSALS[said.code] ?? BUSY[said.code];
  const reason = `code ${said.code}${meaning ? `: ${meaning}` : ""}${words ? ` («${words}»)` : ""}`;
  if (said.code in BUSY || reply.status === 429 || reply.status >= 500) return makeBusy(reason, reply.head);
  return {
    state: "refused",
    reason: said.code === 19021 ? `${reason}${describeClock(reply.head, now)}` : reason,
  };
}

/** Older replies name it `StatusCode`. */
function readCode(text: string): { readonly code: number; readonly words: string } | null {
  try {
    const body = Object(JSON.parse(text)) as Record<string, unknown>;
    const code = body["code"] ?? body["StatusCode"];
    const words = body["msg"] ?? body["StatusMessage"];
    if (typeof code !== "number") return null;
    return { code, words: typeof words === "string" ? words : "" };
  } catch {
    return null; // no JSON: a web page, a reply that was cut, or too long a one
  }
}

function makeBusy(reason: string, { retryAfterMs }: ReplyHead): SendOutcome {
  return { state: "busy", reason, ...(retryAfterMs !== null && { retryAfterMs }) };
}

function describeClock({ date }: ReplyHead, now: Date): string {
  const minutes = date === null ? 0 : Math.round(Math.abs(now.getTime() - date.getTime()) / 60_000);
  return minutes < 5 ? "" : `; the clocks of this machine and of the server are ${minutes} minutes apart`;
}
