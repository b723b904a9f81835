import { realpathSync } from "node:fs";
import { escapeGlob } from "../base/globs.ts";
import type { RunRequest } from "../runs/run-record.ts";
import { loadProvenance, type Provenance } from "../sync/provenance.ts";
import type { Desk } from "./desk.ts";

/**
 * The code that a run would use, as it lies there now. What runs and Sortie itself write is not code, nor are the files
 * that variables were read from.
 */
export function recordCode(desk: Desk, request: RunRequest, objectsDir: string): Promise<Provenance> {
  const written = [realpathSync(desk.home.root), ...(request.resultsTo ? [request.resultsTo] : [])];
  return loadProvenance(desk.runner, {
    folder: request.cwd,
    outputs: [...request.results, ...written.map(escapeGlob)],
    secrets: request.envFiles.flatMap(findRealPath),
    objectsDir,
    env: desk.env,
  });
}

function findRealPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return []; // it has gone since it was read: then it cannot be recorded
  }
}
