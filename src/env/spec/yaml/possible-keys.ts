import type { PossibleKey, ScanState } from "./scan-state.ts";

/** A key and its `:` stand on one line and not further apart than this. */
const MAX_KEY_LENGTH = 1024;

/** Remembers that a key may begin with the token that comes next. */
export function savePossibleKey(state: ScanState): void {
  if (!state.allowsKey) return;
  const { index, line, column } = state.cursor;
  const required = state.flowLevel === 0 && state.indent === column;
  dropPossibleKey(state);
  state.possibleKeys.set(state.flowLevel, { token: state.tokens.length, required, index, line, column });
}

/** Forgets the key of this flow level. */
export function dropPossibleKey(state: ScanState): void {
  const key = state.possibleKeys.get(state.flowLevel);
  if (key) forgetKey(state, state.flowLevel, key);
}

/** Forgets the keys that can be none any more. */
export function dropStaleKeys(state: ScanState): void {
  const { line, index } = state.cursor;
  for (const [level, key] of state.possibleKeys)
    if (key.line !== line || index - key.index > MAX_KEY_LENGTH) forgetKey(state, level, key);
}

function forgetKey(state: ScanState, level: number, key: PossibleKey): void {
  if (key.required) throw state.refuse(key.line + 1, "a `:` is missing behind a key");
  state.possibleKeys.delete(level);
}
