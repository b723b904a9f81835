import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

/** What a YAML text holds, every part with the line that it stands in; a mapping with the line of its key. */
export type YamlTree =
  | { readonly kind: "map"; readonly line: number; readonly entries: readonly YamlEntry[] }
  | { readonly kind: "list"; readonly line: number; readonly items: readonly YamlTree[] }
  /** As it is written: `007` and `+08:00` stay so; without its quotes. */
  | { readonly kind: "text"; readonly line: number; readonly text: string }
  /** Nothing stands behind the colon. */
  | { readonly kind: "nothing"; readonly line: number }
  /** An alias. */
  | { readonly kind: "other"; readonly line: number };

export interface YamlEntry {
  readonly key: string;
  readonly line: number;
  readonly value: YamlTree;
}

export interface YamlProblem {
  readonly line: number;
  readonly problem: string;
  readonly advice: string;
}

const QUOTES = "put the value in quotes";

/** By the parser's code of a fault. */
const advices: Readonly<Record<string, string>> = {
  BAD_SCALAR_START: QUOTES,
  TAG_RESOLVE_FAILED: QUOTES,
  BLOCK_AS_IMPLICIT_KEY: "write one key a line, and put a value with a colon in quotes",
  UNEXPECTED_TOKEN: "indent keys of one level alike, and put a value with special characters in quotes",
  TAB_AS_INDENT: "indent with blanks",
  BAD_INDENT: "indent keys of one level alike, and close what { or [ opens",
  MISSING_CHAR: "write what is missing",
  MULTILINE_IMPLICIT_KEY: "write a colon behind the key",
  MULTIPLE_DOCS: "remove what begins with ---",
};

/** Reads a YAML text; what is no YAML is told with its line, all of it. */
export function parseYamlTree(text: string): { tree: YamlTree; problems: readonly YamlProblem[] } {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: false, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings].map(({ message, code, pos }) => ({
    line: counter.linePos(pos[0]).line,
    problem: message.replace(/;.*$/s, "").replace(/\s+/g, " "),
    advice: advices[code] ?? "correct this line",
  }));
  return { tree: makeTree(document.contents, 1, counter), problems: keepFirstOfLines(problems) };
}

/** What follows in the same line follows from it. */
function keepFirstOfLines(problems: readonly YamlProblem[]): YamlProblem[] {
  return problems.filter(({ line }, at) => problems.findIndex((one) => one.line === line) === at);
}

function makeTree(node: Node | null, above: number, counter: LineCounter): YamlTree {
  const line = findLine(node, above, counter);
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => {
      const at = findLine(key as Node | null, line, counter);
      return { key: readKey(key), line: at, value: makeTree(value as Node | null, at, counter) };
    });
    return { kind: "map", line: above, entries };
  }
  if (isSeq(node))
    return { kind: "list", line, items: node.items.map((item) => makeTree(item as Node, line, counter)) };
  if (!isScalar(node)) return { kind: node === null ? "nothing" : "other", line };
  if (node.value === null && (node.source ?? "") === "") return { kind: "nothing", line };
  return { kind: "text", line, text: node.source ?? String(node.value) };
}

function findLine(node: Node | null, above: number, counter: LineCounter): number {
  const at = node?.range?.[0];
  return at === undefined ? above : counter.linePos(at).line;
}

function readKey(key: unknown): string {
  return isScalar(key) ? String(key.source ?? key.value) : "?";
}
