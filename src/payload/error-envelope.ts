import { makePrintable } from "../base/printable.ts";
import { pack } from "./pack.ts";

const MOST_CHARACTERS = 2000;

/**
 * The reply that tells a simulator that there is no action: `{"error": text}`, which ends the episode. The text is never
 * empty, since an empty error does not count as one.
 */
export function makeErrorEnvelope(message: string): Uint8Array {
  const text = makePrintable(message.trim()).slice(0, MOST_CHARACTERS);
  return pack({ error: text === "" ? "the handler failed without a word" : text });
}
