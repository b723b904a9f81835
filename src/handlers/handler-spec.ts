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

const JAVASCRIPT = /\.(js|mjs|cjs)$/;

/**
 * Reads `[DIR/]module[.sub]:function` and `path/file.py:function` (Python), and `FILE.js|.mjs|.cjs[:export]`
 * (JavaScript); folders are relative to `cwd`. SortieError `handler_spec_bad`.
 */
export function parseHandlerSpec(spec: string, cwd: string): HandlerSpec {
  const { path, name } = splitName(spec);
  if (path === "")
    throw new SortieError("handler_spec_bad", { spec: quote(spec), reason: "no module stands in it" });
  const file = resolve(cwd, path);
  if (JAVASCRIPT.test(path)) return { language: "javascript", file, ...(name !== undefined && { name }) };
  if (/\.[mc]?ts$/.test(path)) {
    throw new SortieError("handler_spec_bad", {
      spec: quote(spec),
      reason: "TypeScript must be compiled first",
    });
  }
  if (name === undefined || !isDottedName(name)) {
    const reason =
      name === undefined ? "no function stands after a colon" : "what stands after the colon is no name";
    throw new SortieError("handler_spec_bad", { spec: quote(spec), reason });
  }
  if (extname(path) === ".py") return { ...makeFileSpec(file), name };
  const module = basename(file);
  if (path.endsWith("/") || !isDottedName(module)) {
    throw new SortieError("handler_spec_bad", { spec: quote(spec), reason: "it ends in no module's name" });
  }
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

function quote(spec: string): string {
  return JSON.stringify(spec);
}
