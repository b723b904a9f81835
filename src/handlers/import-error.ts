import { SortieError } from "../base/error.ts";
import { findNearest } from "../base/nearest.ts";
import { makePrintable } from "../base/printable.ts";
import type { HandlerSpec } from "./handler-spec.ts";
import { listNames } from "./list-names.ts";
import { shorten, type WorkerFault } from "./worker-fault.ts";

/** The error of a handler that could not be imported, in words that name the next step. */
export function makeImportError(
  spec: string,
  parsed: HandlerSpec,
  fault: WorkerFault,
  program: string,
): SortieError {
  const reason = shorten(fault.message).replace(/\.$/, "");
  const trace = makePrintable(fault.trace);
  const where = parsed.language === "python" && parsed.file === undefined ? parsed.module : parsed.file;
  switch (fault.kind) {
    case "not_found":
      return new SortieError("handler_not_found", { spec, reason, advice: adviseModule(parsed, fault) });
    case "no_function":
      return new SortieError("handler_no_function", {
        module: where,
        name: fault["name"],
        advice: adviseName(fault),
      });
    case "unfit":
      return new SortieError("handler_unfit", {
        ...{ module: where, name: parsed.name, reason },
        advice: "A handler is handle(session_id, frame) and returns bytes.",
      });
    case "syntax": {
      const { file, line, text } = fault as { file?: unknown; line?: unknown; text?: unknown };
      return new SortieError("handler_syntax", {
        spec,
        reason,
        file,
        line,
        text: shorten(String(text ?? "")),
      });
    }
    default:
      return new SortieError("handler_import_failed", {
        spec,
        reason,
        trace,
        advice: adviseImport(fault, program),
      });
  }
}

function adviseModule(parsed: HandlerSpec, fault: WorkerFault): string {
  if (parsed.language === "javascript") return "";
  const names = listNames(parsed.folder);
  const nearest = findNearest(String(fault["missing"]), names);
  if (nearest !== undefined) return `Did you mean ${nearest}? It is in ${parsed.folder}.`;
  if (names.length === 0) return `There is no Python file in ${parsed.folder}; name the folder, or the file.`;
  return `In ${parsed.folder} there are: ${names.slice(0, 20).join(", ")}.`;
}

function adviseName(fault: WorkerFault): string {
  const names = (fault["names"] as string[] | undefined) ?? [];
  const nearest = findNearest(String(fault["name"]), names);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  return names.length === 0 ? "It has no public function." : `It has: ${names.slice(0, 20).join(", ")}.`;
}

function adviseImport(fault: WorkerFault, program: string): string {
  const missing = fault["missing"];
  if (typeof missing !== "string") return "The log shows where.";
  return `Install ${missing} where ${program} finds it, or name the interpreter that has it with --python.`;
}
