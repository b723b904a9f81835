import { findLikely } from "../../base/nearest.ts";
import { quoteInput } from "../../base/quote-input.ts";

/** What a document says of its command; `claim` is how it says so. */
export type Expectation =
  | { readonly kind: "exit"; readonly code: number; readonly claim: string }
  | { readonly kind: "file"; readonly path: string; readonly claim: string }
  /** A line of the output holds the text, or fits the pattern. */
  | { readonly kind: "line"; readonly text: string; readonly pattern: string | null; readonly claim: string };

const COMMENT = /^\s*#\s*expects?\b[:：]?\s*(.*)$/i;
const KINDS = ["exit", "file", "line"];
/** What may have been meant as one. */
const NEARLY = /(^|\s)#\s*([a-z]+)[:：]?\s+(exit|file|line)\s+\S/i;

/**
 * The expectations among the lines of a documented block: `# expect exit 0`, `# expect file PATH`, `# expect line TEXT`
 * or `/PATTERN/`. `warn` is told, by the place of its line, what looks like one and says nothing.
 */
export function parseExpectations(
  lines: readonly string[],
  warn: (at: number, reason: string) => void,
): Expectation[] {
  const found: Expectation[] = [];
  for (const [at, line] of lines.entries()) {
    const comment = COMMENT.exec(line);
    if (!comment) {
      if (findLikely(NEARLY.exec(line)?.[2] ?? "", ["expect"])) {
        warn(at, "an expectation is a line of its own, as in `# expect exit 0`: this one is not checked");
      }
      continue;
    }
    const expectation = readExpectation(comment[1]?.trim() ?? "", (reason) => warn(at, reason));
    if (expectation) found.push(expectation);
  }
  return found;
}

function readExpectation(said: string, warn: (reason: string) => void): Expectation | null {
  const [word = "", rest = ""] = /^(\S+)\s*(.*)$/.exec(said)?.slice(1) ?? [];
  const kind = word.toLowerCase();
  if (kind === "exit" && /^\d{1,3}$/.test(rest) && Number(rest) < 256) {
    return { kind, code: Number(rest), claim: `exit ${rest}` };
  }
  if (kind === "file" && rest !== "") return { kind, path: rest, claim: `file ${rest}` };
  if (kind === "line" && rest !== "") return { kind, text: rest, ...readPattern(rest, warn) };
  const near = findLikely(kind, KINDS);
  const advice =
    near && near !== kind ? `did you mean \`${near}\`?` : "write exit CODE, file PATH or line TEXT";
  warn(`the expectation ${quoteInput(said)} is not understood, and not checked; ${advice}`);
  return null;
}

function readPattern(text: string, warn: (reason: string) => void) {
  const claim = `line ${text}`;
  const pattern = /^\/(.+)\/$/.exec(text)?.[1] ?? null;
  if (pattern === null) return { pattern, claim };
  try {
    new RegExp(pattern, "u");
    return { pattern, claim };
  } catch {
    warn(`${quoteInput(text)} is no regular expression, and is looked for as it stands`);
    return { pattern: null, claim };
  }
}
