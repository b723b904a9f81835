import { isNumber, isShape, isText, parseJson } from "../base/shape.ts";
import type { ProcessIdentity } from "./identity.ts";

/** Whether a value that was read from a file tells one process from every other. */
export const isIdentity = isShape<ProcessIdentity>({
  pid: isNumber,
  start: isText,
  boot: isText,
  pidNamespace: isText,
  host: isText,
});

/** null where the text names no process. */
export function parseIdentity(text: string): ProcessIdentity | null {
  return parseJson(text, isIdentity);
}
