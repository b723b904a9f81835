import { makePrintable } from "../../base/printable.ts";
import { isSecretName } from "../../base/secret-name.ts";
import type { LogFields } from "./describe-event.ts";

const HIDDEN = "[hidden]";
/** Beyond this a value says nothing more to a reader. */
const MOST_CHARACTERS = 2_000;
const MOST_DEPTH = 4;

/** Headers and fields that hold a secret under a name that does not say so. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(["authorization", "cookie", "set-cookie"]);

/**
 * Secrets by their look, wherever they stand: what follows `Bearer`, `Basic` or `Api-Key`; a JWT; the query of an address, which
 * holds a password where the documents' first login is used. Of an e-mail's name the first letter is left, so that an
 * organiser can tell accounts apart.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic|api-key)\s+[^\s"',;]+/gi, `$1 ${HIDDEN}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN],
  [/(\/[^\s?"']*)\?[^\s"']+/g, "$1?…"],
  [/([\w.+%-])[\w.+%-]*@([\w-]+(?:\.[\w-]+)+)/g, "$1…@$2"],
];

/** Fields as they may be logged: secrets hidden, at any depth, and control characters made visible. */
export function redactFields(fields: LogFields): Record<string, unknown> {
  return redactEntries(fields, MOST_DEPTH);
}

/** A text without what looks like a secret, in printable characters. */
export function redactLogText(text: string): string {
  const whole = text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
  return makePrintable(SECRETS.reduce((shown, [look, mark]) => shown.replace(look, mark), whole));
}

function redactEntries(fields: object, depth: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    shown[makePrintable(name)] = isHidden(name) ? HIDDEN : redactValue(value, depth);
  }
  return shown;
}

function isHidden(name: string): boolean {
  return isSecretName(name) || SECRET_FIELDS.has(name.toLowerCase());
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return redactLogText(value);
  if (value instanceof Error) return redactLogText(value.message);
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth - 1));
  return redactEntries(value, depth - 1);
}
