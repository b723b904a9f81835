import { findWatched, type LoopFramework } from "./find-framework.ts";
import { type InsertionPoint, pointAfter, pointBefore } from "./insertion-point.ts";
import { listWatched } from "./list-watched.ts";
import type { FoundLogs, LogSite } from "./log-loops.ts";
import { type Obstacle, refuseShared } from "./obstacles.ts";
import type { PythonNode } from "./python-tree.ts";
import type { ScriptOutline } from "./script-outline.ts";

/** Where a framework's trainers and models get a callback that logs. */
export function watchObjects(
  outline: ScriptOutline,
  framework: LoopFramework,
  lines: string[],
): FoundLogs | Obstacle {
  const watched = findWatched(outline, framework);
  const first = watched[0];
  if (first === undefined)
    return { line: 1, reason: "the trainer is not kept by a name, so no callback can be given to it" };
  const sites = watched.map(({ text, statement, where }): LogSite | null => {
    const at = where === "before" ? pointBefore(statement, lines) : findPlaceAfter(statement, lines);
    return at && { kind: "watch", at, object: text, ...listWatched(outline, framework) };
  });
  const found = sites.filter((site) => site !== null);
  if (found.length < sites.length) return refuseShared(first.statement);
  return { sites: found, scopes: watched.map(({ scope }) => scope), first: first.statement };
}

/** `trainer = Trainer(); trainer.fit(model)` leaves no place between the two. */
function findPlaceAfter(statement: PythonNode, lines: string[]): InsertionPoint | null {
  const next = statement.nextNamedSibling;
  const isLast = next?.type === "comment" || next?.startPosition.row !== statement.endPosition.row;
  return isLast ? pointAfter(statement, lines) : null;
}
