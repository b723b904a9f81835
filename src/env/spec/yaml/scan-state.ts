import type { Refuse } from "../refusal.ts";
import type { Cursor } from "./cursor.ts";

/** Python gives up at about as many collections in each other. */
export const MAX_DEPTH = 490;

export type TokenKind =
  | "alias"
  | "anchor"
  | "block-end"
  | "block-entry"
  | "block-mapping"
  | "block-sequence"
  | "directive"
  | "document-end"
  | "document-start"
  | "flow-entry"
  | "flow-mapping"
  | "flow-mapping-end"
  | "flow-sequence"
  | "flow-sequence-end"
  | "key"
  | "scalar"
  | "stream-end"
  | "tag"
  | "value";

export interface Token {
  readonly kind: TokenKind;
  /** From 1 on. */
  readonly line: number;
  /** A scalar's value, an anchor's or alias' name, a directive's name, the part of a tag behind its handle. */
  readonly text: string;
  /** A scalar without quotes: its text decides what it is. */
  readonly plain?: boolean;
  /** Of a tag: `!`, `!!` or `!name!`; null: the tag is written in full. */
  readonly handle?: string | null;
  /** Of a directive. */
  readonly values?: readonly string[];
}

/** A place where the key of a mapping may have begun; only a `:` behind it tells. */
export interface PossibleKey {
  /** Where its first token stands among all tokens. */
  readonly token: number;
  /** It stands where a mapping goes on: without a `:` it is a mistake. */
  readonly required: boolean;
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

export interface ScanState {
  readonly cursor: Cursor;
  readonly refuse: Refuse;
  readonly tokens: Token[];
  /** Column of the block that is open; -1: none. */
  indent: number;
  readonly outerIndents: number[];
  /** How many `[` and `{` are open. */
  flowLevel: number;
  /** At most one for each flow level. */
  readonly possibleKeys: Map<number, PossibleKey>;
  /** A key (and with it a block) may begin here. */
  allowsKey: boolean;
}

export function addToken(state: ScanState, kind: TokenKind, more: Partial<Omit<Token, "kind">> = {}): void {
  state.tokens.push({ text: "", line: state.cursor.line + 1, ...more, kind });
}

/** Whether a block of this column opens here. */
export function openIndent(state: ScanState, column: number): boolean {
  if (state.indent >= column) return false;
  state.outerIndents.push(state.indent);
  state.indent = column;
  return true;
}

/** Closes the blocks that are deeper than the column; inside brackets indentation means nothing. */
export function closeIndents(state: ScanState, column: number): void {
  if (state.flowLevel > 0) return;
  while (state.indent > column) {
    state.indent = state.outerIndents.pop() ?? -1;
    addToken(state, "block-end");
  }
}
