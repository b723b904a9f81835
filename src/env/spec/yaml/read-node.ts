import { findScalarTag } from "./find-scalar-tag.ts";
import { type MappingNode, type SequenceNode, YAML_TAG, type YamlNode } from "./node.ts";
import { readBlockMapping, readBlockSequence, readOpenSequence } from "./read-block.ts";
import { readFlowMapping, readFlowSequence } from "./read-flow.ts";
import { type NodePlace, readInside, type TokenReader } from "./token-reader.ts";

/** The next node with all that is in it. @throws spec_bad */
export function readNode(reader: TokenReader, place: NodePlace): YamlNode {
  const alias = reader.takeIf("alias");
  if (alias) {
    const known = reader.anchors.get(alias.text);
    if (!known) throw reader.refuse(alias.line, `nothing is called &${alias.text} above *${alias.text}`);
    return known;
  }
  const { line } = reader.next();
  const { anchor, tag, hasProperties } = readProperties(reader);
  if (anchor !== null && reader.anchors.has(anchor))
    throw reader.refuse(line, `&${anchor} names something already`);
  const keep = <Node extends YamlNode>(node: Node): Node => {
    if (anchor !== null) reader.anchors.set(anchor, node);
    return node;
  };
  const isUntagged = tag === null || tag === "!";

  const scalar = reader.takeIf("scalar");
  if (scalar || (hasProperties && !isCollectionAhead(reader, place))) {
    const text = scalar?.text ?? "";
    const isPlain = tag === "!" || scalar === null || scalar.plain === true;
    return keep({ kind: "scalar", tag: isUntagged ? findScalarTag(text, isPlain) : tag, line, text });
  }
  const makeSequence = (): SequenceNode =>
    keep({ kind: "sequence", tag: isUntagged ? `${YAML_TAG}seq` : tag, line, items: [] });
  const makeMapping = (): MappingNode =>
    keep({ kind: "mapping", tag: isUntagged ? `${YAML_TAG}map` : tag, line, pairs: [] });
  if (place === "mapping" && reader.is("block-entry"))
    return readInside(reader, makeSequence(), readNode, readOpenSequence);
  if (reader.takeIf("flow-sequence")) return readInside(reader, makeSequence(), readNode, readFlowSequence);
  if (reader.takeIf("flow-mapping")) return readInside(reader, makeMapping(), readNode, readFlowMapping);
  if (place !== "flow" && reader.takeIf("block-sequence"))
    return readInside(reader, makeSequence(), readNode, readBlockSequence);
  if (place !== "flow" && reader.takeIf("block-mapping"))
    return readInside(reader, makeMapping(), readNode, readBlockMapping);
  throw reader.refuse(reader.next().line, "a value is missing here");
}

/** A name and a tag, in either order. */
function readProperties(reader: TokenReader): {
  anchor: string | null;
  tag: string | null;
  hasProperties: boolean;
} {
  let anchor = reader.takeIf("anchor");
  const tag = reader.takeIf("tag");
  if (tag && !anchor) anchor = reader.takeIf("anchor");
  if (!tag) return { anchor: anchor?.text ?? null, tag: null, hasProperties: anchor !== null };
  const handle = tag.handle ?? null;
  const start = handle === null ? "" : reader.tagHandles.get(handle);
  if (start === undefined) throw reader.refuse(tag.line, `no %TAG line says what ${handle} stands for`);
  return { anchor: anchor?.text ?? null, tag: start + tag.text, hasProperties: true };
}

function isCollectionAhead(reader: TokenReader, place: NodePlace): boolean {
  if (reader.is("flow-sequence", "flow-mapping")) return true;
  if (place === "mapping" && reader.is("block-entry")) return true;
  return place !== "flow" && reader.is("block-sequence", "block-mapping");
}
