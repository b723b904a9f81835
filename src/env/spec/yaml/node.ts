/** What the text says, before it becomes values. Aliases make the nodes of a text a graph. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode;

export interface ScalarNode {
  readonly kind: "scalar";
  /** In full, such as `tag:yaml.org,2002:int`. */
  tag: string;
  readonly line: number;
  readonly text: string;
}

export interface SequenceNode {
  readonly kind: "sequence";
  readonly tag: string;
  readonly line: number;
  readonly items: YamlNode[];
}

export interface MappingNode {
  readonly kind: "mapping";
  readonly tag: string;
  readonly line: number;
  pairs: NodePair[];
}

export type NodePair = readonly [key: YamlNode, value: YamlNode];

/** What the tags of YAML itself begin with. */
export const YAML_TAG = "tag:yaml.org,2002:";
