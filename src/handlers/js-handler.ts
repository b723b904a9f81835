import type { SortieError } from "../base/error.ts";
import { bindStop } from "./bind-stop.ts";
import { checkPlace } from "./check-place.ts";
import type { HandlerFacts, HandlerOptions, StartedHandler } from "./handler-options.ts";
import type { HandlerSpec } from "./handler-spec.ts";
import { makeImportError } from "./import-error.ts";
import { findSyntaxPlace } from "./js-syntax.ts";
import { JsThread, type ThreadAnswer, type ThreadCall } from "./js-thread.ts";
import { waitWithin } from "./wait-within.ts";
import { makeCallError, type WorkerFault } from "./worker-fault.ts";

type JavaScriptSpec = HandlerSpec & { readonly language: "javascript" };

/** Starts a thread with the handler's file; resolves when it is imported. See `startHandler`. */
export async function startJsHandler(
  parsed: JavaScriptSpec,
  options: HandlerOptions,
): Promise<StartedHandler> {
  checkPlace(parsed, options.spec);
  const thread = new JsThread(parsed, options);
  const unbind = bindStop(options.signal, () => void thread.stop());
  try {
    const first = await waitWithin(thread.waitForFirst(), "imported", options);
    if (first.type !== "imported") throw await explainImport(first, parsed, options);
    const { offers, version, program } = first;
    const about = { language: "javascript", program, version, offers } as const;
    return { ...makeHandler(thread, about, options), about };
  } catch (error) {
    await thread.stop();
    throw error;
  } finally {
    unbind();
  }
}

/** Node does not tell the place of a syntax error in a module; asking it to check the file alone does. */
async function explainImport(
  answer: ThreadAnswer,
  parsed: JavaScriptSpec,
  options: HandlerOptions,
): Promise<SortieError> {
  const fault = answer as WorkerFault;
  const isUnplaced = fault.kind === "syntax" && fault["line"] === undefined;
  const place = isUnplaced ? await findSyntaxPlace(parsed.file) : {};
  return makeImportError({ ...fault, ...place }, parsed, options);
}

function makeHandler(
  thread: JsThread,
  { offers }: HandlerFacts,
  options: HandlerOptions,
): Omit<StartedHandler, "about"> {
  const call = async (type: ThreadCall, sid?: Uint8Array, payload?: Uint8Array) => {
    const answer = await thread.call(type, sid, payload);
    if (answer.type === "fault") throw makeCallError(type, answer);
    return answer;
  };
  return {
    died: thread.died,
    load: async () => void (await waitWithin(call("load"), "loaded", options)),
    open: async (sid) => void (offers.includes("open") && (await call("open", sid))),
    close: async (sid) => void (offers.includes("close") && (await call("close", sid))),
    handle: async (sid, payload) => takeReply(await call("handle", sid, payload)),
    stop: () => thread.stop(),
  };
}

function takeReply(answer: ThreadAnswer): Uint8Array {
  return answer.type === "reply"
    ? new Uint8Array(answer.buffer, answer.offset, answer.length)
    : new Uint8Array();
}
