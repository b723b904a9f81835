import { findLikely } from "../../base/nearest.ts";
import type { HostTool } from "./build-steps.ts";
import { parseBase } from "./parse-base.ts";

export interface ChosenTool extends HostTool {
  /** For people: what a host cannot give; null: nothing. */
  readonly warning: string | null;
}

/** What builds an environment of this `base` on a host. Nothing on a host can start from a container image. */
export function chooseTool(base: string | null): ChosenTool {
  const parsed = parseBase(base);
  if (parsed.kind === "image") {
    const [word = ""] = parsed.image.split(/[:=\d]/);
    const near = findLikely(word, ["python", "venv", "uv", "conda"]);
    const doubt = near === undefined ? "" : ` (or did you mean ${near}?)`;
    const warning = `the base ${parsed.image} is a container image${doubt}; on a host it is built with the host's Python, and what the image holds must be there or in pip_phases`;
    return { tool: "venv", python: null, warning };
  }
  return { tool: parsed.kind === "python" ? "venv" : parsed.kind, python: parsed.python, warning: null };
}
