import type { SortieError } from "../base/error.ts";
import type { HandlerSettings } from "./handler-settings.ts";
import type { HandlerSpec } from "./handler-spec.ts";
import type { HandlerWorker } from "./handler-worker.ts";
import { makeImportError } from "./import-error.ts";
import { findSyntaxPlace } from "./js-syntax.ts";
import { JsThread, type ThreadAnswer } from "./js-thread.ts";
import { makeCallError, type WorkerFault } from "./worker-fault.ts";

type JavaScriptSpec = HandlerSpec & { readonly language: "javascript" };

/** Starts a thread that imports the handler's file. */
export function startJs(parsed: JavaScriptSpec, settings: HandlerSettings): HandlerWorker {
  const thread = new JsThread(parsed, settings);
  return {
    died: thread.died,
    async waitForImport() {
      const first = await thread.waitForFirst();
      if (first.type === "imported") return first.facts;
      throw await explainImport(first as WorkerFault, parsed, settings);
    },
    async call(type, sid, payload) {
      const answer = await thread.call(type, sid, payload);
      if (answer.type === "fault") throw makeCallError(type, answer);
      return takeReply(answer);
    },
    stop: () => thread.stop(),
  };
}

/** Node does not tell the place of a syntax error in a module; asking it to check the file alone does. */
async function explainImport(
  fault: WorkerFault,
  parsed: JavaScriptSpec,
  settings: HandlerSettings,
): Promise<SortieError> {
  const isUnplaced = fault.kind === "syntax" && fault["line"] === undefined;
  const place = isUnplaced ? await findSyntaxPlace(parsed.file, settings.signal) : {};
  return makeImportError({ ...fault, ...place }, parsed, settings);
}

function takeReply(answer: ThreadAnswer): Uint8Array {
  if (answer.type !== "reply") return new Uint8Array();
  return new Uint8Array(answer.buffer, answer.offset, answer.length);
}
