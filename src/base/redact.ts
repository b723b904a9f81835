import { findSecretLook } from "./secret-look.ts";

/** Stands where a secret stood. */
const HIDDEN = "***";
/** What is longer in one line is cut before it is looked through. */
const MOST_LINE = 4_000;

/** Whole shapes that are replaced wherever they stand; the first group stays. */
const SHAPES: readonly RegExp[] = [
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<![A-Za-z0-9])((?:bearer|basic)\s+)[\w+/=.~-]{6,}/gi,
  // Addresses of chat bots: who knows the last part may post.
  /(https?:\/\/[^\s/]+\/(?:open-apis\/bot\/v2\/hook|services|api\/webhooks)\/)[^\s"'<>]+/gi,
];

/**
 * A text without these secrets, in any spelling, and without what looks like a secret: where only a whole line tells (a
 * name, a colon and a value), the line is replaced by what was in it.
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  // The longest first: one may be the beginning of another, whose end would stay.
  const known = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap(listSpellings)
    .sort((one, other) => other.length - one.length);
  const withoutKnown = known.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
  return SHAPES.reduce((shown, shape) => shown.replace(shape, `$1${HIDDEN}`), withoutKnown)
    .split("\n")
    .map((line) => redactLine(line.length > MOST_LINE ? `${line.slice(0, MOST_LINE)}…` : line))
    .join("\n");
}

/** As it is, in JSON, and in an address. */
function listSpellings(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
}

function redactLine(line: string): string {
  if (findSecretLook(line) === null) return line;
  const shown = line.replace(/\S+/g, redactWord);
  const left = findSecretLook(shown);
  return left === null ? shown : `${HIDDEN} (${left})`;
}

/** `NAME=value` keeps its name. */
function redactWord(word: string): string {
  if (findSecretLook(word) === null) return word;
  const named = word.replace(/^([\w.-]+=).*$/, `$1${HIDDEN}`);
  return findSecretLook(named) === null ? named : HIDDEN;
}
