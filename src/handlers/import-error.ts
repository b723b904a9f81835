import { join, resolve } from "node:path";
import { SortieError } from "../base/error.ts";
import { findNearest } from "../base/nearest.ts";
import { makePrintable } from "../base/printable.ts";
import type { HandlerSettings } from "./handler-settings.ts";
import type { HandlerSpec } from "./handler-spec.ts";
import { listNames } from "./list-names.ts";
import { shorten, type WorkerFault } from "./worker-fault.ts";

const MOST_NAMES = 20;

/** The error of a handler that could not be imported, in words that name the next step. */
export function makeImportError(
  fault: WorkerFault,
  parsed: HandlerSpec,
  { spec, cwd, python: program }: HandlerSettings,
): SortieError {
  const reason = shorten(fault.message).replace(/\.$/, "");
  const module = parsed.language === "python" ? (parsed.file ?? parsed.module) : parsed.file;
  if (fault.kind === "not_found") {
    return new SortieError("handler_not_found", { spec, reason, advice: adviseModule(parsed, fault) });
  }
  if (fault.kind === "old") {
    const advice = "Name a newer interpreter with --python.";
    return new SortieError("handler_not_started", { program, spec, reason, advice });
  }
  if (fault.kind === "no_function") {
    return new SortieError("handler_no_function", { module, name: fault["name"], advice: adviseName(fault) });
  }
  if (fault.kind === "unfit") {
    const advice = "A handler is handle(session_id, frame) and returns bytes.";
    return new SortieError("handler_unfit", { module, name: parsed.name ?? "handle", reason, advice });
  }
  if (fault.kind === "syntax" && fault["line"] !== undefined) {
    const place = { file: fault["file"], line: fault["line"], text: shorten(String(fault["text"] ?? "")) };
    return new SortieError("handler_syntax", { spec, reason, ...place });
  }
  const trace = makePrintable(fault.trace);
  const advice = adviseImport(fault, parsed, program, resolve(cwd));
  return new SortieError("handler_import_failed", { spec, reason, trace, advice });
}

/** Looks where the missing part of a dotted name would lie. */
function adviseModule(parsed: HandlerSpec, fault: WorkerFault): string {
  const parts = String(fault["missing"]).split(".");
  const folder = join(parsed.language === "python" ? parsed.folder : "", ...parts.slice(0, -1));
  const names = listNames(folder);
  const nearest = findNearest(parts.at(-1) ?? "", names);
  if (nearest !== undefined) return `Did you mean ${nearest}? It is in ${folder}.`;
  if (names.length === 0) return `There is no Python file in ${folder}; name the folder, or the file.`;
  return `In ${folder} there are: ${names.slice(0, MOST_NAMES).join(", ")}.`;
}

function adviseName(fault: WorkerFault): string {
  const names = (fault["names"] as string[] | undefined) ?? [];
  const nearest = findNearest(String(fault["name"]), names);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  return names.length === 0
    ? "It has no public function."
    : `It has: ${names.slice(0, MOST_NAMES).join(", ")}.`;
}

function adviseImport(fault: WorkerFault, parsed: HandlerSpec, program: string, cwd: string): string {
  const missing = fault["missing"];
  if (fault.kind === "syntax") return "Correct it there, or in the file that it imports.";
  if (fault.message.includes("attempted relative import")) {
    return "Name it as a module of its package, from the folder above: FOLDER/PACKAGE.MODULE:FUNCTION.";
  }
  if (typeof missing !== "string") return "The log shows where.";
  if (parsed.language === "javascript") {
    return `Install ${missing} where the handler's file finds it, or correct the path.`;
  }
  if (parsed.folder !== cwd && listNames(cwd).includes(missing.split(".", 1)[0] as string)) {
    return `${missing} lies in the working folder, and only ${parsed.folder} is searched: set PYTHONPATH=. too.`;
  }
  return `Install ${missing} where ${program} finds it, or name the interpreter that has it with --python.`;
}
