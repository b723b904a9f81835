import type { MappingNode, SequenceNode } from "./node.ts";
import { makeEmptyNode, type ReadNode, type TokenReader } from "./token-reader.ts";

/** The items of a list, up to where its block ends. */
export function readBlockSequence(reader: TokenReader, node: SequenceNode, readNode: ReadNode): void {
  for (let entry = reader.takeIf("block-entry"); entry; entry = reader.takeIf("block-entry")) {
    const isEmpty = reader.is("block-entry", "block-end");
    node.items.push(isEmpty ? makeEmptyNode(entry.line) : readNode(reader, "block"));
  }
  endBlock(reader, node.line);
}

/** The items of a list in the column of the key that it belongs to: it has no block of its own. */
export function readOpenSequence(reader: TokenReader, node: SequenceNode, readNode: ReadNode): void {
  for (let entry = reader.takeIf("block-entry"); entry; entry = reader.takeIf("block-entry")) {
    const isEmpty = reader.is("block-entry", "key", "value", "block-end");
    node.items.push(isEmpty ? makeEmptyNode(entry.line) : readNode(reader, "block"));
  }
}

/** The keys and values of a mapping, up to where its block ends. */
export function readBlockMapping(reader: TokenReader, node: MappingNode, readNode: ReadNode): void {
  for (let mark = reader.takeIf("key"); mark; mark = reader.takeIf("key")) {
    const key = readPart(reader, mark.line, readNode);
    const colon = reader.takeIf("value");
    node.pairs.push([key, colon ? readPart(reader, colon.line, readNode) : makeEmptyNode(mark.line)]);
  }
  endBlock(reader, node.line);
}

function readPart(reader: TokenReader, line: number, readNode: ReadNode) {
  return reader.is("key", "value", "block-end") ? makeEmptyNode(line) : readNode(reader, "mapping");
}

function endBlock(reader: TokenReader, firstLine: number): void {
  const { line } = reader.next();
  if (!reader.takeIf("block-end"))
    throw reader.refuse(line, `this does not belong to the block that begins on line ${firstLine}`);
}
