import { statSync } from "node:fs";
import { SortieError } from "../base/error.ts";
import type { HandlerSettings } from "./handler-settings.ts";

const INSTALL = "Install Python 3.9 or newer, or name an interpreter with --python.";
const LIMITS =
  "Close what needs so many, or raise the limit (`ulimit -a` shows the limits), then start again.";
const FOLDER = "Make room in the folder for temporary files, or set TMPDIR to one that can be written to.";

type Explained = readonly [reason: string, advice: string];

/** By the system's code: what is short, wherever it was noticed. */
const shortages: Readonly<Record<string, Explained>> = {
  EMFILE: ["this process has too many files open", LIMITS],
  ENFILE: ["this machine has too many files open", LIMITS],
  EAGAIN: ["there are too many processes", LIMITS],
  ENOMEM: ["there is not enough memory", "End what needs so much of it, then start again."],
  ENOSPC: ["the disk is full", FOLDER],
  EDQUOT: ["the quota of the disk is used up", FOLDER],
};

/** By the system's code: what is wrong with the program itself. */
const unfit: Readonly<Record<string, Explained>> = {
  ENOENT: ["there is no such program", INSTALL],
  ENOTDIR: ["there is no such program", INSTALL],
  EACCES: ["it may not be executed", INSTALL],
};

/** The error of a worker that could not be started. `notStarted`: as Node says it, `spawn python3 ENOENT`. */
export function makeStartError(
  program: string,
  notStarted: string,
  { spec, cwd }: HandlerSettings,
): SortieError {
  const [reason, advice] = explain(notStarted, cwd);
  return new SortieError("handler_not_started", { program, spec, reason, advice });
}

function explain(notStarted: string, cwd: string): Explained {
  const isSpawn = notStarted.startsWith("spawn ");
  const code = (isSpawn ? / (E[A-Z\d]+)$/ : /\b(E[A-Z\d]+)\b/).exec(notStarted)?.[1] ?? "";
  const shortage = shortages[code];
  if (shortage !== undefined) return shortage;
  if (!isSpawn && code !== "") return [`a socket for it could not be made (${notStarted})`, FOLDER];
  if (isSpawn && !isFolder(cwd))
    return [`there is no working folder ${cwd}`, "Go to a folder that is there, then start again."];
  return unfit[code] ?? [notStarted, "Correct what the reason names, then start again."];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
