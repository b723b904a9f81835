export interface JsonScan {
  /** The deepest nesting of objects and lists. */
  readonly depth: number;
  /** Keys of the outermost object that stand in it more than once, as written. */
  readonly repeated: readonly string[];
}

/**
 * Looks over JSON text without parsing it: how deep it goes and which outermost keys are there twice, which the parser
 * keeps to itself. For text that is no JSON the answer means nothing.
 */
export function scanJson(text: string): JsonScan {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "{" || character === "[") {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === "}" || character === "]") {
      depth -= 1;
    } else if (character === '"') {
      const end = findStringEnd(text, at);
      if (depth === 1 && isKey(text, end)) {
        const key = text.slice(at + 1, end);
        if (seen.has(key)) repeated.add(key);
        seen.add(key);
      }
      at = end;
    }
  }
  return { depth: deepest, repeated: [...repeated] };
}

/** Where the string that begins at `start` has its closing quote. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function isKey(text: string, end: number): boolean {
  return /^\s*:/.test(text.slice(end + 1, end + 20));
}
