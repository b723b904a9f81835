import { closeSync, constants, openSync, readSync, statSync, write } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import type { AgentLogLine } from "../../tunnel/agent-options.ts";
import type { Environment } from "../desk.ts";

/** A file that grows by a line for each event. */
export interface EventsFile {
  /** Never throws and never waits. */
  add(event: object): void;
  /** Writes what is left, for a second at most, and closes the file. */
  close(): Promise<void>;
}

/** What may wait for a slow disk. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
const CLOSE_MS = 1000;
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;

/**
 * The events file of an agent: the one that was named, else `agent.jsonl` in the folder of the run that it is in, if it
 * is in one and that can be written. @throws SortieError `events_unwritable`
 */
export function openEvents(
  named: string | undefined,
  { env, cwd, onLog }: { env: Environment; cwd: string; onLog: (line: AgentLogLine) => void },
): EventsFile | undefined {
  const warn = (text: string) => onLog({ level: "warn", text });
  const onLoss = (reason: string) => warn(`events are lost: ${reason}; the agent goes on`);
  if (named !== undefined) return openEventsFile(resolve(cwd, named), onLoss);
  const folder = env["SORTIE_RUN_DIR"];
  if (!folder) return undefined;
  try {
    return openEventsFile(join(folder, "agent.jsonl"), onLoss);
  } catch (fault) {
    warn(`there will be no events: ${describeFault(fault)}`);
    return undefined;
  }
}

/**
 * Opens a file, to append to it. A disk that is full or slow costs lines, not the agent: `onLoss` is told when lines
 * begin to be lost, and why. @throws SortieError `events_unwritable`
 */
function openEventsFile(path: string, onLoss: (reason: string) => void): EventsFile {
  const file = open(path);
  let waiting = "";
  let isTorn = endsTorn(path);
  let isLosing = false;
  let batch: Promise<void> | null = null;

  const lose = (reason: string) => {
    if (!isLosing) onLoss(reason);
    isLosing = true;
  };
  const writeBatch = () =>
    new Promise<void>((resolve) => {
      // A line that was cut by a full disk is ended before the next one begins.
      const bytes = Buffer.from(isTorn ? `\n${waiting}` : waiting);
      waiting = "";
      write(file, bytes, 0, bytes.length, null, (fault, written = 0) => {
        isTorn = written === 0 ? isTorn : written < bytes.length;
        if (written < bytes.length) lose(fault ? describeFault(fault) : "the disk is full");
        else isLosing = false;
        resolve();
      });
    });
  const writeAll = async () => {
    while (waiting !== "") await writeBatch();
    batch = null;
  };
  return {
    add(event) {
      if (waiting.length > MOST_WAITING_BYTES) return lose("the disk is too slow");
      waiting += `${JSON.stringify(event)}\n`;
      batch ??= writeAll();
    },
    async close() {
      const soon = new AbortController();
      const late = systemClock.sleep(CLOSE_MS, soon.signal).then(() => "late");
      const outcome = await Promise.race([batch, late]);
      soon.abort();
      if (outcome !== "late") closeSync(file); // what hangs in the kernel cannot be closed
    },
  };
}

/** Without waiting for a reader where the path is a pipe. */
function open(path: string): number {
  try {
    return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o644);
  } catch (fault) {
    throw new SortieError("events_unwritable", { path, reason: describeFault(fault) }, fault);
  }
}

/** Whether the last line was cut, as by a full disk or the death of the agent that wrote it. Of a pipe nothing is read. */
function endsTorn(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size === 0) return false;
  const last = Buffer.alloc(1);
  const file = openSync(path, "r");
  try {
    readSync(file, last, 0, 1, stats.size - 1);
  } finally {
    closeSync(file);
  }
  return last.toString() !== "\n";
}
