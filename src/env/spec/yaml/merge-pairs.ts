import type { Refuse } from "../refusal.ts";
import { type MappingNode, type NodePair, YAML_TAG, type YamlNode } from "./node.ts";

/**
 * Puts the pairs of the mappings under `<<` in front of a mapping's own, so that its own win; PyYAML does so when it makes
 * the value, which an alias may have changed before. A key `=` becomes a text.
 */
export function mergePairs(node: MappingNode, refuse: Refuse): void {
  const merged: NodePair[] = [];
  const seen = new Set<unknown>();
  const add = (from: MappingNode): void => {
    mergePairs(from, refuse);
    for (const pair of from.pairs) {
      const id = identifyKey(pair[0]);
      if (seen.has(id)) continue;
      seen.add(id);
      merged.push(pair);
    }
  };
  let at = 0;
  while (at < node.pairs.length) {
    const [key, value] = node.pairs[at] as NodePair;
    if (key.kind === "scalar" && key.tag === `${YAML_TAG}value`) key.tag = `${YAML_TAG}str`;
    if (key.tag !== `${YAML_TAG}merge`) {
      at += 1;
      continue;
    }
    node.pairs.splice(at, 1);
    for (const from of listMappings(value, refuse)) add(from);
  }
  node.pairs = [...merged, ...node.pairs];
}

/** What PyYAML holds for the same key while it merges: the same text object, of which short ones exist once. */
function identifyKey(key: YamlNode): unknown {
  return key.kind === "scalar" && /^[\0-\xff]?$/.test(key.text) ? key.text : key;
}

function listMappings(value: YamlNode, refuse: Refuse): readonly MappingNode[] {
  const nodes = value.kind === "sequence" ? value.items : [value];
  return nodes.map((node) => {
    if (node.kind !== "mapping") throw refuse(node.line, "a mapping or a list of mappings stands behind <<");
    return node;
  });
}
