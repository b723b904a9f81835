import type { Refuse } from "../refusal.ts";
import type { MappingNode, ScalarNode, SequenceNode, YamlNode } from "./node.ts";
import { MAX_DEPTH, type Token, type TokenKind } from "./scan-state.ts";

/** Where a node stands: inside brackets; in a block; or in a block where a list may begin in the key's own column. */
export type NodePlace = "flow" | "block" | "mapping";

export type ReadNode = (reader: TokenReader, place: NodePlace) => YamlNode;

/** The tokens of one text, and what has been seen of it. */
export interface TokenReader {
  readonly refuse: Refuse;
  readonly anchors: Map<string, YamlNode>;
  readonly tagHandles: Map<string, string>;
  depth: number;
  next(): Token;
  is(...kinds: readonly TokenKind[]): boolean;
  take(): Token;
  /** Takes it if it is of this kind. */
  takeIf(kind: TokenKind): Token | null;
}

export function makeTokenReader(tokens: readonly Token[], refuse: Refuse): TokenReader {
  let at = 0;
  const next = (): Token => {
    const token = tokens[Math.min(at, tokens.length - 1)];
    if (!token) throw refuse(null, "it holds nothing");
    return token;
  };
  const take = (): Token => {
    const token = next();
    at += 1;
    return token;
  };
  return {
    refuse,
    anchors: new Map(),
    tagHandles: new Map(),
    depth: 0,
    next,
    take,
    is: (...kinds) => kinds.includes(next().kind),
    takeIf: (kind) => (next().kind === kind ? take() : null),
  };
}

/** Reads what is inside a collection, not deeper than is sensible. */
export function readInside<Node extends SequenceNode | MappingNode>(
  reader: TokenReader,
  node: Node,
  readNode: ReadNode,
  read: (reader: TokenReader, node: Node, readNode: ReadNode) => void,
): Node {
  reader.depth += 1;
  if (reader.depth > MAX_DEPTH) throw reader.refuse(node.line, `it is nested more than ${MAX_DEPTH} deep`);
  read(reader, node, readNode);
  reader.depth -= 1;
  return node;
}

/** What stands where nothing was written. */
export function makeEmptyNode(line: number): ScalarNode {
  return { kind: "scalar", tag: "tag:yaml.org,2002:null", line, text: "" };
}
