import { SortieError } from "../../base/error.ts";
import { showUrl } from "../../base/show-url.ts";
import { type Answer, type Call, exchange } from "./exchange.ts";
import { isTrouble } from "./retry-calls.ts";

/** Sends what must not be sent twice. @throws SortieError `challenge_reply_lost`, or what `exchange` throws */
export async function exchangeOnce(call: Call): Promise<Answer> {
  const answer = await exchange(call).catch((thrown: unknown) => {
    throw makeLostFault(call.url, thrown);
  });
  if (isTrouble(answer)) throw makeFault(call.url, `it answered with ${answer.status}`);
  return answer;
}

/**
 * What a POST ends with that was sent: `challenge_reply_lost` where the server may have taken it although it did not say
 * so; else the fault as it is, which says that it did not.
 */
export function makeLostFault(url: string, thrown: unknown): unknown {
  if (!(thrown instanceof SortieError)) return thrown;
  const { code, details, message } = thrown;
  if (code === "interrupted") return makeFault(url, "it was interrupted before the reply came", thrown);
  if (code === "challenge_away" && details["isUnsent"] === true) return thrown;
  // "See other" is how a server answers that took what was sent.
  if (code === "challenge_redirected" && details["status"] === 303) return makeFault(url, message, thrown);
  const isUnsure = ["challenge_away", "challenge_reply_unreadable", "challenge_reply_wrong"].includes(code);
  return isUnsure ? makeFault(url, message.replace(/\.$/, ""), thrown) : thrown;
}

function makeFault(url: string, reason: string, cause?: unknown): SortieError {
  return new SortieError("challenge_reply_lost", { url: showUrl(url), reason }, cause);
}
