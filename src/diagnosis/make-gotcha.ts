import { makePrintable } from "../base/printable.ts";
import { findSecretLook } from "../base/secret-look.ts";
import type { Diagnosis } from "./match-row.ts";

/** Lines of a ledger are read by people: the beginning of a message tells what it is about. */
const MOST_CHARACTERS = 200;

/**
 * A diagnosis as one line for the ledger of environments: `SYMPTOM -> LAYER: FIX`. The ledger is shared with others, so
 * no home folder is in it, and what looks like a secret is left out with the words around it.
 */
export function makeGotcha({ code, evidence, cause, layer, next }: Diagnosis): string {
  const symptom = [evidence ?? cause, cause].map(clean).find(isPublic) ?? code;
  const fix = [clean(next)].find(isPublic) ?? "see the diagnosis where it failed";
  return makePrintable(`${shorten(symptom)} -> ${layer}: ${fix}`);
}

const HOME = /(\/[\w.-]+)*\/(home|Users)\/[^/\s'":,]+|\/root(?![\w.-])/g;
/** Before the host of an address stands whoever logs in, or a token. */
const LOGIN = /(:\/\/)[^\s/@]+@/g;

function clean(text: string): string {
  return text.replace(LOGIN, "$1").replace(HOME, "~").replace(/\s+/g, " ").trim();
}

function isPublic(text: string): boolean {
  return findSecretLook(text) === null;
}

function shorten(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).trimEnd()}…`;
}
