import { quoteInput } from "../../../base/quote-input.ts";
import type { Refuse } from "../refusal.ts";
import { type MappingNode, type NodePair, YAML_TAG, type YamlNode } from "./node.ts";

/** Python gives up at about as many, one in the other. */
const MAX_MERGES = 900;

export interface MergeTerms {
  readonly refuse: Refuse;
  readonly warn: (line: number, text: string) => void;
}

/**
 * Puts the pairs of the mappings under `<<` in front of a mapping's own, so that its own win; PyYAML does so when it makes
 * the value, which an alias may have changed before. A key `=` becomes a text.
 */
export function mergePairs(node: MappingNode, terms: MergeTerms, depth = 1): void {
  if (depth > MAX_MERGES)
    throw terms.refuse(node.line, `more than ${MAX_MERGES} mappings are merged into each other`);
  const merged: NodePair[] = [];
  const seen = new Set<unknown>();
  const texts = new Map<string, YamlNode>();
  const add = (from: MappingNode): void => {
    mergePairs(from, terms, depth + 1);
    for (const pair of from.pairs) {
      warnOfClash(pair[0], texts, terms);
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
    for (const from of listMappings(value, terms)) add(from);
  }
  node.pairs = [...merged, ...node.pairs];
}

/** PyYAML takes the first of both up to 6.0.3, and mostly the last one from 6.0.4 on, as is done here. */
function warnOfClash(key: YamlNode, texts: Map<string, YamlNode>, { warn }: MergeTerms): void {
  if (key.kind !== "scalar") return;
  const first = texts.get(`${key.tag} ${key.text}`) ?? key;
  if (first !== key)
    warn(
      key.line,
      `the key ${quoteInput(key.text)} comes twice by <<, also from line ${first.line}; which one counts depends on PyYAML's version`,
    );
  texts.set(`${key.tag} ${key.text}`, key);
}

/** What PyYAML holds for the same key while it merges: the same text object, of which short ones exist once. */
function identifyKey(key: YamlNode): unknown {
  return key.kind === "scalar" && /^[\0-\xff]?$/.test(key.text) ? key.text : key;
}

function listMappings(value: YamlNode, { refuse }: MergeTerms): readonly MappingNode[] {
  const nodes = value.kind === "sequence" ? value.items : [value];
  return nodes.map((node) => {
    if (node.kind !== "mapping") throw refuse(node.line, "a mapping or a list of mappings stands behind <<");
    return node;
  });
}
