import { accessSync, constants, lstatSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import { isWithin } from "../../base/is-within.ts";
import { identifyFile } from "../../disk/identify-file.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import type { RecordingInfo } from "../../wire/recording.ts";
import type { RecordingConfig } from "../config/gateway-config.ts";
import { isRecordingName, makeRecordingName } from "./recording-name.ts";
import { Shelf } from "./shelf.ts";
import { FileTape, noTape, type Tape, type TapeHost } from "./tape.ts";

export interface Recorder {
  /**
   * Begins the recording of a session, in the place of an earlier one of the same session: a gateway that was started again
   * plays it from its beginning. `goesOn`: behind the earlier one, where the simulator goes on where it was. Never throws:
   * where nothing can be recorded, the tape does nothing.
   */
  openTape(info: Omit<RecordingInfo, "startedAt">, goesOn?: boolean): Tape;
  /** The path of a recording by its file's name; undefined where it is gone, or the name is none that a recorder gives. */
  findRecording(file: string): string | undefined;
  /** What all recordings take on disk. */
  readonly bytes: number;
  /** Whether what went wrong last has been followed by no recording that was whole. */
  readonly isBroken: boolean;
  /** Makes the folder again where it was removed, and tells so; called each second. */
  keepFolder(): void;
  /** Writes what tapes still hold, for `patienceMs` at most. Recordings without an end stay so. */
  close(patienceMs: number): Promise<void>;
}

/** What may wait in memory for the disk, of all recordings together: one frame of the largest size and its like. */
const MOST_WAITING_BYTES = 128 * 1024 * 1024;

/**
 * Keeps recordings in a folder, under a size of all together: the oldest go. What is wrong with a recording is told once,
 * and again only after one was whole in between; no case is harmed by it. @throws SortieError `recordings_unusable`
 */
export function openRecorder(
  { folder, maxBytes }: RecordingConfig,
  clock: Clock,
  onFault: (fault: SortieError) => void,
): Recorder {
  const shelf = openShelf(folder, maxBytes);
  /** Those that are not finished, by name. */
  const tapes = new Map<string, FileTape>();
  let isTold = false;
  let isClosed = false;
  let place = identifyFile(folder);
  const host: TapeHost = {
    ...{ folder, shelf, waiting: { bytes: 0, mostBytes: MOST_WAITING_BYTES } },
    monotonicMs: () => clock.monotonicMs(),
    onFinish(name, isWhole) {
      tapes.delete(name);
      if (isWhole) isTold = false;
    },
    onFault(fault) {
      if (!isTold) onFault(fault);
      isTold = true;
    },
  };
  return {
    openTape(info, goesOn) {
      const name = makeRecordingName(info.sessionId);
      if (isClosed || name === undefined || tapes.has(name)) return noTape;
      const tape = new FileTape(name, { ...info, startedAt: clock.now().toISOString() }, host, goesOn);
      tapes.set(name, tape);
      return tape;
    },
    findRecording: (file) => findFile(folder, file),
    get bytes() {
      return shelf.bytes;
    },
    get isBroken() {
      return isTold;
    },
    keepFolder() {
      if (place !== undefined && identifyFile(folder) === place) return;
      if (place !== undefined) {
        isTold = false;
        host.onFault(new SortieError("recordings_lost", { folder }));
        shelf.forget();
        for (const tape of tapes.values()) tape.lose();
      }
      place = makeAgain(folder);
    },
    async close(patienceMs) {
      isClosed = true;
      const all = [...tapes.values()].map((tape) => tape.close());
      await isWithin(Promise.all([...all, shelf.settle()]), patienceMs, clock);
    },
  };
}

function openShelf(folder: string, maxBytes: number): Shelf {
  try {
    makeFolder(folder, { mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return new Shelf(folder, maxBytes);
  } catch (fault) {
    throw new SortieError("recordings_unusable", { folder, reason: describeFault(fault) }, fault);
  }
}

/** undefined where it cannot be made now. */
function makeAgain(folder: string): string | undefined {
  try {
    makeFolder(folder, { mode: 0o700 });
    return identifyFile(folder);
  } catch {
    return undefined; // it is tried again, and recordings say why they break meanwhile
  }
}

function findFile(folder: string, name: string): string | undefined {
  if (!isRecordingName(name)) return undefined;
  const path = join(folder, name);
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined;
}
