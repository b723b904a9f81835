import { isOneOf, isOrNull, isShape, isText, isTextList, parseJson } from "../../base/shape.ts";
import type { Interpreter } from "../key-of-trust.ts";
import type { ReadyEnvironment } from "./environment-status.ts";

/** A Python, as it is written in files of a host. */
export const isInterpreter = isShape<Interpreter>({
  path: isText,
  version: isOrNull(isText),
  packages: isOrNull(isText),
});

const isReady = isShape<ReadyEnvironment>({
  name: isText,
  hash: isText,
  inputs: isOrNull(isText),
  tool: isOneOf("venv", "uv", "conda"),
  prefix: isText,
  interpreter: isInterpreter,
  driver: isOrNull(isText),
  cuda: isOrNull(isText),
  gpus: isTextList,
  builtAt: isText,
});

/** What a `ready.json` says; null: it is not whole, and what it stands beside is not used. */
export function parseReady(text: string | undefined): ReadyEnvironment | null {
  return parseJson(text ?? "", isReady);
}
