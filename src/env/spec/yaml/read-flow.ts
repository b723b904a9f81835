import type { MappingNode, SequenceNode, YamlNode } from "./node.ts";
import { YAML_TAG } from "./node.ts";
import type { TokenKind } from "./scan-state.ts";
import { makeEmptyNode, type ReadNode, type TokenReader } from "./token-reader.ts";

/** The items between `[` and `]`; `key: value` among them is a mapping of its own. */
export function readFlowSequence(reader: TokenReader, node: SequenceNode, readNode: ReadNode): void {
  readEntries(reader, node, "flow-sequence-end", () => {
    const mark = reader.takeIf("key");
    if (mark) {
      const pair = readPair(reader, mark.line, "flow-sequence-end", readNode);
      node.items.push({ kind: "mapping", tag: `${YAML_TAG}map`, line: mark.line, pairs: [pair] });
    } else node.items.push(readNode(reader, "flow"));
  });
}

/** The keys and values between `{` and `}`; a key may stand alone. */
export function readFlowMapping(reader: TokenReader, node: MappingNode, readNode: ReadNode): void {
  readEntries(reader, node, "flow-mapping-end", () => {
    const mark = reader.takeIf("key");
    const key = mark ? null : readNode(reader, "flow");
    if (mark) node.pairs.push(readPair(reader, mark.line, "flow-mapping-end", readNode));
    else if (key) node.pairs.push([key, makeEmptyNode(key.line)]);
  });
}

function readEntries(
  reader: TokenReader,
  node: SequenceNode | MappingNode,
  end: TokenKind,
  readEntry: () => void,
): void {
  let isFirst = true;
  while (!reader.is(end)) {
    if (!isFirst && !reader.takeIf("flow-entry"))
      throw reader.refuse(
        reader.next().line,
        `a comma or the bracket that closes line ${node.line} is missing`,
        "In brackets, put a text with a question mark, a comma or a bracket in quotes.",
      );
    isFirst = false;
    if (!reader.is(end)) readEntry();
  }
  reader.take();
}

function readPair(
  reader: TokenReader,
  line: number,
  end: TokenKind,
  readNode: ReadNode,
): [YamlNode, YamlNode] {
  const key = reader.is("value", "flow-entry", end) ? makeEmptyNode(line) : readNode(reader, "flow");
  const colon = reader.takeIf("value");
  if (!colon || reader.is("flow-entry", end)) return [key, makeEmptyNode(colon?.line ?? line)];
  return [key, readNode(reader, "flow")];
}
