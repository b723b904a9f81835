import { SortieError } from "../base/error.ts";
import { isFlag, isShape, isText, parseJson } from "../base/shape.ts";
import type { WorkerFrame } from "../wire/worker-frame.ts";
import type { HandlerFacts } from "./handler-options.ts";
import type { HandlerSettings } from "./handler-settings.ts";
import type { HandlerSpec } from "./handler-spec.ts";
import type { HandlerWorker } from "./handler-worker.ts";
import { makeImportError } from "./import-error.ts";
import { makeStartError } from "./start-error.ts";
import { makeCallError, makeDeath, readWorkerFault, shorten } from "./worker-fault.ts";
import { startWorkerLink, type WorkerLink } from "./worker-link.ts";
import { makeWorkerProgram } from "./worker-text.ts";

type PythonSpec = HandlerSpec & { readonly language: "python" };

/** Starts a Python process that imports the handler's module. SortieError `handler_not_started`. */
export async function startPython(parsed: PythonSpec, settings: HandlerSettings): Promise<HandlerWorker> {
  const link = await startProcess(parsed, settings);
  return {
    died: link.died,
    async waitForImport() {
      const first = await link.waitForFirst();
      if (first.type === "fault") throw makeImportError(readWorkerFault(first), parsed, settings);
      return readFacts(first);
    },
    async call(type, sid, payload) {
      const answer = await link.call(type, sid, payload);
      if (answer.type !== "fault") return answer.payload;
      const fault = readWorkerFault(answer);
      if (typeof fault["ends"] !== "string") throw makeCallError(type, fault);
      const error = makeDeath(`in ${type}`, shorten(fault["ends"]));
      await link.end(error);
      throw error;
    },
    stop: (patienceMs) => link.stop(patienceMs),
  };
}

async function startProcess(
  { folder, module, file, name }: PythonSpec,
  settings: HandlerSettings,
): Promise<WorkerLink> {
  const { code, texts } = makeWorkerProgram();
  const argv = [settings.python, "-u", "-c", code, folder, module, file ?? "", name];
  const link = await startWorkerLink(argv, settings);
  if ("notStarted" in link) throw makeStartError(settings.python, link.notStarted, settings);
  for (const text of texts) link.sendRaw(text);
  return link;
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
