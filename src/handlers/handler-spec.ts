import { basename, dirname, extname, resolve } from "node:path";
import { SortieError } from "../base/error.ts";

/** What a handler's name asks for. All paths are absolute. */
export type HandlerSpec =
  | {
      readonly language: "python";
      /** First on the search path. */
      readonly folder: string;
      /** Dotted; where there is a `file`, the name under which it is imported. */
      readonly module: string;
      readonly file?: string;
      /** May lead through objects: `policy.handle`. */
      readonly name: string;
    }
  | { readonly language: "javascript"; readonly file: string; readonly name?: string };

const JAVASCRIPT = /\.[mc]?js$/;
const TYPESCRIPT = /\.[mc]?ts$/;

/**
 * Reads `[DIR/]module[.sub]:function` and `path/file.py:function` (Python), and `FILE.js|.mjs|.cjs[:export]`
 * (JavaScript); folders are relative to `cwd`. SortieError `handler_spec_bad`.
 */
export function parseHandlerSpec(spec: string, cwd: string): HandlerSpec {
  const { path, name } = splitName(spec);
  if (path === "") throw refuse(spec, "no module stands in it");
  if (TYPESCRIPT.test(path)) throw refuse(spec, "TypeScript must be compiled first");
  if (name !== undefined && !isDottedName(name)) throw refuse(spec, "what stands after the colon is no name");
  const file = resolve(cwd, path);
  if (JAVASCRIPT.test(path)) return { language: "javascript", file, ...(name !== undefined && { name }) };
  if (name === undefined) throw refuse(spec, "no function stands after a colon");
  if (extname(path) === ".py") return { ...makeFileSpec(file), name };
  const module = basename(file);
  if (path.endsWith("/") || !isDottedName(module))
    throw refuse(spec, "it ends in no module's name; a file needs its .py");
  return { language: "python", folder: dirname(file), module, name };
}

/** The last colon parts file and name, unless a path follows it: folders may have colons in their names. */
function splitName(spec: string): { path: string; name?: string } {
  const at = spec.lastIndexOf(":");
  const name = spec.slice(at + 1);
  if (at === -1 || name.includes("/")) return { path: spec };
  return { path: spec.slice(0, at), name };
}

function makeFileSpec(file: string) {
  const module = basename(file, ".py").replaceAll(".", "_");
  return { language: "python", folder: dirname(file), module, file } as const;
}

function isDottedName(text: string): boolean {
  return /^[\p{ID_Start}_][\p{ID_Continue}]*(\.[\p{ID_Start}_][\p{ID_Continue}]*)*$/u.test(text);
}

function refuse(spec: string, reason: string): SortieError {
  return new SortieError("handler_spec_bad", { spec: JSON.stringify(spec), reason });
}
