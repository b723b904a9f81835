import { SortieError } from "../base/error.ts";

/** Shorter ones could be a part of common words. */
const LEAST_CHARACTERS = 8;

/** What is never to be seen in what an agent says, whoever said it first: a gateway may well quote the token that it refuses. */
export class Secrets {
  readonly #hidden: string[] = [];

  constructor(...secrets: readonly string[]) {
    for (const secret of secrets) this.hide(secret);
  }

  hide(secret: string) {
    if (secret.length >= LEAST_CHARACTERS) this.#hidden.push(secret);
  }

  /** The text with `[token]` in place of each secret, also of the start of one where the text was cut off inside of it. */
  clean(text: string): string {
    return this.#hidden.reduce((rest, secret) => cleanEnd(rest.replaceAll(secret, "[token]"), secret), text);
  }

  /** The same error where nothing of it is secret. */
  cleanError(error: SortieError): SortieError {
    const details = Object.entries(error.details).map(
      ([name, value]) => [name, this.#cleanValue(value)] as const,
    );
    const isClean = details.every(([name, value]) => value === error.details[name]);
    return isClean ? error : new SortieError(error.code, Object.fromEntries(details));
  }

  #cleanValue(value: unknown): unknown {
    if (typeof value === "string") return this.clean(value);
    if (!Array.isArray(value)) return value;
    const cleaned = value.map((item) => this.#cleanValue(item));
    return cleaned.every((item, index) => item === value[index]) ? value : cleaned;
  }
}

function cleanEnd(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= LEAST_CHARACTERS; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}[token]`;
  return text;
}
