import { isAbsolute, resolve } from "node:path";
import type { Io } from "./io.ts";

/** A path that a person gave, from the folder that the command was called in. @throws folder_missing */
export function resolvePath(io: Pick<Io, "cwd">, path: string): string {
  return isAbsolute(path) ? resolve(path) : resolve(io.cwd, path);
}
