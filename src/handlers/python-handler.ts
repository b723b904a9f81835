import { SortieError } from "../base/error.ts";
import { isFlag, isShape, isText, parseJson } from "../base/shape.ts";
import type { WorkerFrame } from "../wire/worker-frame.ts";
import { bindStop } from "./bind-stop.ts";
import { checkPlace } from "./check-place.ts";
import { makeHandlerEnvironment } from "./handler-environment.ts";
import type { HandlerFacts, HandlerOptions, StartedHandler } from "./handler-options.ts";
import type { HandlerSpec } from "./handler-spec.ts";
import { makeImportError } from "./import-error.ts";
import { waitWithin } from "./wait-within.ts";
import { makeCallError, makeDeath, readWorkerFault, shorten } from "./worker-fault.ts";
import { startWorkerLink, type WorkerLink } from "./worker-link.ts";
import { makeWorkerProgram } from "./worker-text.ts";

type PythonSpec = HandlerSpec & { readonly language: "python" };

const PYTHON_ADVICE = "Install Python 3.9 or newer, or name an interpreter with --python.";

/** Starts Python with the handler's module; resolves when it is imported. See `startHandler`. */
export async function startPythonHandler(
  parsed: PythonSpec,
  options: HandlerOptions,
): Promise<StartedHandler> {
  checkPlace(parsed, options.spec);
  const link = await startWorker(parsed, options);
  const unbind = bindStop(options.signal, () => void link.stop());
  try {
    const about = await waitForImport(link, parsed, options);
    return { ...makeHandler(link, about, options), about };
  } catch (error) {
    await link.stop();
    throw error;
  } finally {
    unbind();
  }
}

async function startWorker(
  { folder, module, file, name }: PythonSpec,
  options: HandlerOptions,
): Promise<WorkerLink> {
  const program = options.python ?? "python3";
  const { code, texts } = makeWorkerProgram();
  const argv = [program, "-u", "-c", code, folder, module, file ?? "", name];
  const env = makeHandlerEnvironment(options.env, options.gpu);
  const place = { cwd: options.cwd, env, outputFd: options.outputFd ?? 2 };
  const link = await startWorkerLink(argv, place, options.onLog ?? (() => undefined));
  if ("notStarted" in link) {
    throw new SortieError("handler_not_started", {
      ...{ program, spec: options.spec, advice: PYTHON_ADVICE },
      reason: link.notStarted.endsWith("ENOENT") ? "there is no such program" : link.notStarted,
    });
  }
  for (const text of texts) link.sendRaw(text);
  return link;
}

async function waitForImport(
  link: WorkerLink,
  parsed: PythonSpec,
  options: HandlerOptions,
): Promise<HandlerFacts> {
  const first = await waitWithin(link.waitForFirst(), "imported", options);
  if (first.type === "fault") throw makeImportError(readWorkerFault(first), parsed, options);
  return readFacts(first);
}

const isAbout = isShape<{ load: boolean; open: boolean; close: boolean; version: string; program: string }>({
  ...{ load: isFlag, open: isFlag, close: isFlag },
  ...{ version: isText, program: isText },
});

function readFacts({ payload }: WorkerFrame): HandlerFacts {
  const about = parseJson(new TextDecoder().decode(payload), isAbout);
  if (about === null)
    throw new SortieError("internal", { reason: "the worker's first frame cannot be read" });
  const { version, program } = about;
  const offers = (["load", "open", "close"] as const).filter((name) => about[name]);
  return { language: "python", program, version, offers };
}

function makeHandler(
  link: WorkerLink,
  { offers }: HandlerFacts,
  options: HandlerOptions,
): Omit<StartedHandler, "about"> {
  const call = async (type: "load" | "open" | "close" | "handle", sid?: Uint8Array, payload?: Uint8Array) => {
    const answer = await link.call(type, sid, payload);
    if (answer.type !== "fault") return answer.payload;
    const fault = readWorkerFault(answer);
    if (typeof fault["ends"] !== "string") throw makeCallError(type, fault);
    const error = makeDeath(`in ${type}`, shorten(fault["ends"]));
    await link.end(error);
    throw error;
  };
  return {
    died: link.died,
    load: async () => void (await waitWithin(call("load"), "loaded", options)),
    open: async (sid) => void (offers.includes("open") && (await call("open", sid))),
    close: async (sid) => void (offers.includes("close") && (await call("close", sid))),
    handle: (sid, payload) => call("handle", sid, payload),
    stop: () => link.stop(),
  };
}
