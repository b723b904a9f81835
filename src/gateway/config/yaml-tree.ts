import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

/** What a YAML text holds, every part with the line that it stands in; a mapping with the line of its key. */
export type YamlTree =
  | { readonly kind: "map"; readonly line: number; readonly entries: readonly YamlEntry[] }
  | { readonly kind: "list"; readonly line: number; readonly items: readonly YamlTree[] }
  /** As it is written: `007` and `+08:00` stay so; without its quotes. */
  | { readonly kind: "text"; readonly line: number; readonly text: string }
  /** Nothing stands behind the colon. */
  | { readonly kind: "nothing"; readonly line: number }
  | { readonly kind: "other"; readonly line: number; readonly what: string };

export interface YamlEntry {
  readonly key: string;
  readonly line: number;
  readonly value: YamlTree;
}

export interface YamlProblem {
  readonly line: number;
  readonly problem: string;
}

/** Reads a YAML text; what is no YAML is told with its line, all of it. */
export function parseYamlTree(text: string): { tree: YamlTree; problems: readonly YamlProblem[] } {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: false, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings].map(({ message, pos }) => ({
    line: counter.linePos(pos[0]).line,
    problem: message.replace(/\s+/g, " "),
  }));
  return { tree: makeTree(document.contents, 1, counter), problems };
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
  if (!isScalar(node))
    return node === null ? { kind: "nothing", line } : { kind: "other", line, what: "an alias" };
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
