import { makePrintable } from "../base/printable.ts";
import { redactText } from "../base/redact.ts";
import type { Digest, Notice } from "./notice.ts";

/** More of one text is never shown. */
const MOST_CHARACTERS = 20_000;
const MOST_ITEMS = 200;

/** The notice without secrets and control characters in any of its texts, each of a bounded length. */
export function redactNotice<Kind extends Notice | Digest>(notice: Kind, secrets: readonly string[]): Kind {
  return redactValue(notice, secrets) as Kind;
}

function redactValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return makePrintable(redactText(value.slice(0, MOST_CHARACTERS), secrets));
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => redactValue(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactValue(inner, secrets)]));
}
