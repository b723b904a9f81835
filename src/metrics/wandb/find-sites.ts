import type { LoopFramework } from "./find-framework.ts";
import { findHelperPoint } from "./find-helper-point.ts";
import { findStart, type StartSite } from "./find-start.ts";
import type { InsertionPoint } from "./insertion-point.ts";
import { type FoundScript, type LogSite, logLoops } from "./log-loops.ts";
import type { Obstacle } from "./obstacles.ts";
import { findAll, lineOf } from "./python-tree.ts";
import type { ScriptOutline } from "./script-outline.ts";
import { watchObjects } from "./watch-objects.ts";

/** Everywhere that logging goes. */
export interface ScriptSites {
  /** Where the functions go that the other lines call. */
  helper: InsertionPoint;
  start: StartSite;
  logs: LogSite[];
  /** The framework whose objects are watched by callbacks. */
  watcher: LoopFramework | null;
  /** Whether the script works with PyTorch, which knows how much of a GPU's memory was used. */
  hasTorch: boolean;
}

/** Where logging goes in a script, or why it cannot be written in. */
export function findSites(script: FoundScript, loopFramework: LoopFramework | null): ScriptSites | Obstacle {
  const watcher = script.loops.length === 0 ? loopFramework : null;
  const logs = watcher ? watchObjects(script.outline, watcher, script.lines) : logLoops(script);
  if ("reason" in logs) return logs;
  const { outline, args, lines } = script;
  const start = findStart({ outline, lines, goals: logs.scopes, first: logs.first }, args);
  if (start === null)
    return { line: lineOf(logs.first), reason: "there is no line of its own to start the W&B run at" };
  return {
    helper: findHelperPoint(outline.root, lines),
    start,
    logs: logs.sites,
    watcher,
    hasTorch: hasTorch(outline),
  };
}

function hasTorch({ root }: ScriptOutline): boolean {
  const imports = findAll(root, ["import_statement", "import_from_statement"]).map(({ text }) => text);
  return imports.some((text) =>
    /\b(torch|transformers|trl|accelerate|pytorch_lightning|lightning|deepspeed)\b/.test(text),
  );
}
