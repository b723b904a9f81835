import { quoteInput } from "../../../base/quote-input.ts";
import type { Refuse } from "../refusal.ts";
import { makeScalar } from "./make-scalar.ts";
import { mergePairs } from "./merge-pairs.ts";
import { type MappingNode, type SequenceNode, YAML_TAG, type YamlNode } from "./node.ts";
import { isYamlKey, makeKeyId, type YamlKey, type YamlList, type YamlMap, type YamlValue } from "./value.ts";

interface MakeState {
  readonly refuse: Refuse;
  readonly warn: (line: number, text: string) => void;
  readonly made: Map<YamlNode, YamlValue>;
  /** What is still to be put into collections, in PyYAML's order: an alias may stand for one that is not filled yet. */
  readonly fill: (() => void)[];
}

/** The value of a node and of all that is in it. @throws spec_bad where Python raises an error */
export function makeValue(root: YamlNode, refuse: Refuse, warn: MakeState["warn"]): YamlValue {
  const state: MakeState = { refuse, warn, made: new Map(), fill: [] };
  const value = make(state, root);
  for (const fill of state.fill) fill();
  return value;
}

function make(state: MakeState, node: YamlNode): YamlValue {
  const known = state.made.get(node);
  if (known !== undefined) return known;
  const value = makeNew(state, node);
  state.made.set(node, value);
  return value;
}

function makeNew(state: MakeState, node: YamlNode): YamlValue {
  const name = node.tag.startsWith(YAML_TAG) ? node.tag.slice(YAML_TAG.length) : null;
  const { line } = node;
  if (name === "set" && node.kind === "mapping") {
    state.fill.push(() => fillMap(state, node, { kind: "map", line, entries: new Map() }));
    return { kind: "foreign", line, what: "a set", text: "" };
  }
  if (name === "map" && node.kind === "mapping") {
    const map: YamlMap = { kind: "map", line, entries: new Map() };
    state.fill.push(() => fillMap(state, node, map));
    return map;
  }
  if (node.kind === "sequence" && (name === "seq" || name === "omap" || name === "pairs")) {
    const list: YamlList = { kind: "list", line, items: [] };
    state.fill.push(name === "seq" ? () => fillList(state, node, list) : () => fillPairs(state, node, list));
    return list;
  }
  return makeScalar(findScalar(state, node), state.refuse);
}

/** A mapping may stand for a scalar: the value of its key `=` is meant. */
function findScalar(state: MakeState, node: YamlNode) {
  const seen = new Set<YamlNode>();
  let found = node;
  while (found.kind === "mapping" && !seen.has(found)) {
    seen.add(found);
    const pair = found.pairs.find(([key]) => key.tag === `${YAML_TAG}value`);
    if (!pair) break;
    found = pair[1];
  }
  if (found.kind !== "scalar")
    throw state.refuse(node.line, `${node.tag.replace(YAML_TAG, "!!")} does not fit what stands there`);
  return { ...found, tag: node.tag };
}

function fillList(state: MakeState, node: SequenceNode, list: YamlList): void {
  for (const item of node.items) list.items.push({ value: make(state, item), line: item.line });
}

function fillMap(state: MakeState, node: MappingNode, map: YamlMap): void {
  const own = new Set(node.pairs);
  mergePairs(node, state);
  const written = new Set<string>();
  for (const pair of node.pairs) {
    const [keyNode, valueNode] = pair;
    const key = makeKey(state, keyNode);
    const id = makeKeyId(key);
    const value = make(state, valueNode);
    if (own.has(pair) && written.has(id))
      state.warn(keyNode.line, `the key ${formatKey(key)} stands there twice; the last one counts`);
    if (own.has(pair)) written.add(id);
    const first = map.entries.get(id);
    map.entries.set(id, { key: first ? first.key : key, value, keyLine: keyNode.line, line: valueNode.line });
  }
}

/** Each item of the list is a mapping of one key: Python makes pairs of them, and JSON lists of two. */
function fillPairs(state: MakeState, node: SequenceNode, list: YamlList): void {
  for (const item of node.items) {
    const pair = item.kind === "mapping" && item.pairs.length === 1 ? item.pairs[0] : undefined;
    if (!pair) throw state.refuse(item.line, "each item of such a list is one key with its value");
    const items = pair.map((part) => ({ value: make(state, part), line: part.line }));
    list.items.push({ line: item.line, value: { kind: "list", line: item.line, items } });
  }
}

function makeKey(state: MakeState, node: YamlNode): YamlKey {
  const key = make(state, node);
  if (!isYamlKey(key)) throw state.refuse(node.line, "a list, a mapping or a set cannot be a key");
  return key;
}

function formatKey(key: YamlKey): string {
  return quoteInput(typeof key === "object" && key !== null ? key.text : String(key));
}
