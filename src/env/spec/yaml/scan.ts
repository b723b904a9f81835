import type { Refuse } from "../refusal.ts";
import { Cursor, END, isBlankOrEnd } from "./cursor.ts";
import { dropPossibleKey, dropStaleKeys, savePossibleKey } from "./possible-keys.ts";
import { scanBlockScalar } from "./scan-block-scalar.ts";
import { scanAnchorName, scanDirective, scanTag } from "./scan-name.ts";
import { isPlainStart, scanPlain } from "./scan-plain.ts";
import { scanQuoted } from "./scan-quoted.ts";
import {
  addToken,
  closeIndents,
  MAX_DEPTH,
  openIndent,
  type ScanState,
  type Token,
  type TokenKind,
} from "./scan-state.ts";

/**
 * The tokens of a YAML text, as PyYAML takes them: its reading of tabs, `?`, line ends, keys and indentation differs from
 * that of the standard and of newer readers, and the hash of a specification must be Python's.
 * @throws spec_bad
 */
export function scanTokens(text: string, refuse: Refuse): readonly Token[] {
  const cursor = new Cursor(text);
  const state: ScanState = {
    cursor,
    refuse,
    tokens: [],
    indent: -1,
    outerIndents: [],
    flowLevel: 0,
    possibleKeys: new Map(),
    allowsKey: true,
  };
  if (cursor.peek() === "\ufeff") cursor.skip();
  do {
    skipToToken(state);
    dropStaleKeys(state);
    closeIndents(state, cursor.column);
    scanToken(state);
  } while (state.tokens.at(-1)?.kind !== "stream-end");
  return state.tokens;
}

function skipToToken(state: ScanState): void {
  const { cursor } = state;
  let isOnNewLine = false;
  do {
    cursor.skipSpaces();
    cursor.skipComment();
    isOnNewLine = cursor.takeBreak() !== "";
    if (isOnNewLine && state.flowLevel === 0) state.allowsKey = true;
  } while (isOnNewLine);
}

function scanToken(state: ScanState): void {
  const outermost = findOutermost(state.cursor);
  const mark = FLOW_MARKS[state.cursor.peek()];
  const indicator = findIndicator(state);
  if (outermost) addOutermost(state, outermost);
  else if (mark) mark(state);
  else if (indicator === "value") addValue(state);
  else if (indicator !== null) addBlockIndicator(state, indicator);
  else if (state.flowLevel === 0 && "|>".includes(state.cursor.peek())) addBlockScalar(state);
  else addNode(state);
}

type Outermost = "directive" | "document-start" | "document-end" | "stream-end";

/** What stands outside of every block, here at the cursor. */
function findOutermost(cursor: Cursor): Outermost | null {
  if (cursor.peek() === END) return "stream-end";
  if (cursor.column !== 0) return null;
  if (cursor.peek() === "%") return "directive";
  if (cursor.isAtDocumentMark("-")) return "document-start";
  return cursor.isAtDocumentMark(".") ? "document-end" : null;
}

const FLOW_MARKS: Readonly<Record<string, (state: ScanState) => void>> = {
  "[": (state) => openFlow(state, "flow-sequence"),
  "{": (state) => openFlow(state, "flow-mapping"),
  "]": (state) => closeFlow(state, "flow-sequence-end"),
  "}": (state) => closeFlow(state, "flow-mapping-end"),
  ",": (state) => addEntry(state, "flow-entry", true),
};

/** `-`, `?` and `:` before a blank; inside brackets the last two need none. */
function findIndicator({ cursor, flowLevel }: ScanState): "block-entry" | "key" | "value" | null {
  const isBeforeBlank = isBlankOrEnd(cursor.peek(1));
  if (cursor.peek() === "-" && isBeforeBlank) return "block-entry";
  if (flowLevel === 0 && !isBeforeBlank) return null;
  if (cursor.peek() === "?") return "key";
  return cursor.peek() === ":" ? "value" : null;
}

const BLOCK_ADVICE =
  "Begin what belongs together in one column, and put a text that holds a colon before a blank in quotes.";

/** What ends every open block. */
function addOutermost(state: ScanState, kind: Outermost): void {
  closeIndents(state, -1);
  dropPossibleKey(state);
  state.allowsKey = false;
  const line = state.cursor.line + 1;
  const more = kind === "directive" ? scanDirective(state) : {};
  addToken(state, kind, { ...more, line });
  if (kind === "document-start" || kind === "document-end") state.cursor.skip(3);
}

function openFlow(state: ScanState, kind: TokenKind): void {
  const line = state.cursor.line + 1;
  if (state.flowLevel >= MAX_DEPTH) throw state.refuse(line, `it is nested more than ${MAX_DEPTH} deep`);
  savePossibleKey(state);
  state.flowLevel += 1;
  state.allowsKey = true;
  addToken(state, kind);
  state.cursor.skip();
}

function closeFlow(state: ScanState, kind: TokenKind): void {
  dropPossibleKey(state);
  state.flowLevel -= 1;
  state.allowsKey = false;
  addToken(state, kind);
  state.cursor.skip();
}

function addEntry(state: ScanState, kind: TokenKind, allowsKey: boolean): void {
  state.allowsKey = allowsKey;
  dropPossibleKey(state);
  addToken(state, kind);
  state.cursor.skip();
}

/** `-` or `?`, which may open a block. */
function addBlockIndicator(state: ScanState, kind: "block-entry" | "key"): void {
  if (state.flowLevel === 0)
    openBlock(state, kind === "key" ? "block-mapping" : "block-sequence", kind === "key" ? "?" : "-");
  addEntry(state, kind, kind === "block-entry" || state.flowLevel === 0);
}

/** The `:` behind a key that began earlier on this line, or one that stands for itself. */
function addValue(state: ScanState): void {
  const key = state.possibleKeys.get(state.flowLevel);
  if (!key) {
    if (state.flowLevel === 0) openBlock(state, "block-mapping", ":");
    addEntry(state, "value", state.flowLevel === 0);
    return;
  }
  state.possibleKeys.delete(state.flowLevel);
  const line = key.line + 1;
  const opens = state.flowLevel === 0 && openIndent(state, key.column);
  const found: Token[] = [{ kind: "key", text: "", line }];
  if (opens) found.unshift({ kind: "block-mapping", text: "", line });
  state.tokens.splice(key.token, 0, ...found);
  state.allowsKey = false;
  addToken(state, "value");
  state.cursor.skip();
}

function openBlock(state: ScanState, kind: "block-mapping" | "block-sequence", mark: string): void {
  const { cursor } = state;
  if (!state.allowsKey) throw state.refuse(cursor.line + 1, `a \`${mark}\` cannot stand here`, BLOCK_ADVICE);
  if (openIndent(state, cursor.column)) addToken(state, kind);
}

function addBlockScalar(state: ScanState): void {
  state.allowsKey = true;
  dropPossibleKey(state);
  const line = state.cursor.line + 1;
  addToken(state, "scalar", { text: scanBlockScalar(state), line });
}

/** What a node on one line begins with: a name, a tag, or a scalar. */
function addNode(state: ScanState): void {
  const char = state.cursor.peek();
  const line = state.cursor.line + 1;
  const isPlain = !"*&!'\"".includes(char);
  if (isPlain && !isPlainStart(state))
    throw state.refuse(
      line,
      char === "\t" ? "a tab cannot stand here: use spaces" : `\`${char}\` cannot stand here`,
    );
  savePossibleKey(state);
  state.allowsKey = false;
  if (char === "*") addToken(state, "alias", { text: scanAnchorName(state), line });
  else if (char === "&") addToken(state, "anchor", { text: scanAnchorName(state), line });
  else if (char === "!") addToken(state, "tag", { ...scanTag(state), line });
  else if (isPlain) addToken(state, "scalar", { text: scanPlain(state), plain: true, line });
  else addToken(state, "scalar", { text: scanQuoted(state), line });
}
