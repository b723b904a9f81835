import { joinPath, showKey } from "./describe-value.ts";
import { isExt } from "./unpack.ts";

export interface Found<Hit> {
  /** Where it lies, as a person would write it: `result.left_arm.values[3]`; empty for the value itself. */
  readonly path: string;
  readonly hit: Hit;
}

/**
 * The first map, list or ext value, from the outside in, over which `look` returns something. The path is put together
 * only for a hit, so that looking through a thousand numbers costs next to nothing.
 */
export function findInside<Hit>(
  value: unknown,
  look: (value: unknown) => Hit | undefined,
): Found<Hit> | undefined {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return undefined;
  const hit = look(value);
  if (hit !== undefined) return { path: "", hit };
  if (isExt(value)) return undefined;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      if (typeof value[index] !== "object") continue; // mostly numbers, and many
      const found = findInside<Hit>(value[index], look);
      if (found !== undefined) return { path: joinPath(`[${index}]`, found.path), hit: found.hit };
    }
    return undefined;
  }
  for (const [key, item] of Object.entries(value)) {
    const found = findInside<Hit>(item, look);
    if (found !== undefined) return { path: joinPath(showKey(key), found.path), hit: found.hit };
  }
  return undefined;
}
