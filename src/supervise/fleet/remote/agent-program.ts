import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { join } from "node:path/posix";
import { formatBytes } from "../../../base/bytes.ts";
import { SortieError } from "../../../base/error.ts";
import type { ServerFacts } from "../../../targets/target.ts";
import type { Desk } from "../../desk.ts";
import { chooseNode } from "./choose-node.ts";

/** In `dist`, and on every host: the agent as one file that needs nothing but Node.js. */
export const AGENT_FILE = "sortie-agent.cjs";

/** What serves a handler on another host. Paths are absolute there. */
export interface AgentProgram {
  readonly node: string;
  /** Each version of it has a folder of its own. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** The file at home. */
export interface AgentFile {
  readonly folder: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Beside the program that runs now, as in a checkout and in the package. @throws fleet_agent_unbuilt */
export function readAgentFile({ self }: Pick<Desk, "self">): AgentFile {
  const path = resolve(self[1] ?? ".", "..", "..", "dist", AGENT_FILE);
  try {
    const bytes = readFileSync(path);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { folder: dirname(path), sha256, bytes: bytes.length };
  } catch (fault) {
    throw new SortieError("fleet_agent_unbuilt", { path }, fault);
  }
}

/** @throws fleet_agent_unbuilt, fleet_node_missing, tool_missing */
export function planAgentProgram(
  desk: Pick<Desk, "self">,
  { nodes, home, tools }: Pick<ServerFacts, "nodes" | "home" | "tools">,
  host: string,
): AgentProgram {
  const { sha256, bytes } = readAgentFile(desk);
  const { path: node } = chooseNode(nodes, host);
  if (tools["rsync"] === undefined) {
    const advice = "Install it there: the agents' program is sent by it.";
    throw new SortieError("tool_missing", { tool: "rsync", host, advice });
  }
  const path = join(home, ".sortie", "agents", sha256.slice(0, 16), AGENT_FILE);
  return { node, path, sha256, bytes };
}

/** What a launch does with it, in words. */
export function describeAgentProgram({ path, bytes, node }: AgentProgram, host: string): string[] {
  return [
    `send the agents' program, ${formatBytes(bytes)}, to ${host}:${path}, unless it is there; it runs in ${node}`,
  ];
}
