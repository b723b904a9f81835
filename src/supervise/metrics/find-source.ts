import { SortieError } from "../../base/error.ts";
import { type FileRange, type RangeWish, readRangesHere } from "../../runs/file-ranges.ts";
import { findSamplesBeside } from "../../runs/job-folder.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { findTargetOf } from "../find-target.ts";
import { findHomeLog } from "../home-logs.ts";
import { findMirrorPlace, readGapEnd } from "../mirror-place.ts";
import { isSilence } from "../silence.ts";

/** Where a log and the samples beside it are read from. */
export interface MetricSource {
  readonly log: string;
  readonly samples: string;
  /** What lies before this byte of the log is not there. */
  readonly holeEnd: number;
  /** The log may be shorter here than it is on its host. */
  readonly isCopy: boolean;
  /** Both ranges in one question. @throws what keeps a host from answering */
  read(log: RangeWish, samples: RangeWish): Promise<readonly [FileRange, FileRange]>;
}

const PATIENCE_MS = 3_000;

/** From the log that is home, else on this machine, else by asking the host over the network. */
export function findSource(desk: Desk, run: RunRecord): MetricSource {
  const target = findTargetOf(desk, run);
  const place = {
    log: run.log,
    samples: findSamplesBeside(run.log),
    holeEnd: 0,
    isCopy: false,
  };
  const ask = async (...wishes: readonly RangeWish[]) =>
    wishes.length === 0 ? [] : target.readRanges(wishes, { timeoutMs: PATIENCE_MS });
  const home = run.remote ? findHomeLog(run, run.log) : null;
  if (home === null) {
    return { ...place, read: async (log, samples) => pair(await ask(log, samples)) };
  }
  return {
    ...{ ...place, log: home },
    read: async (log, samples) =>
      pair([...readRangesHere([log]), ...(await askForSamples(desk, run, ask, samples))]),
  };
}

/** What has come home of them while the run lived. */
export function findMirrorSource(desk: Desk, run: RunRecord): MetricSource {
  const find = (path: string) => findMirrorPlace(desk, run, path);
  const log = find(run.log);
  return {
    ...{ log, samples: find(findSamplesBeside(run.log)), holeEnd: readGapEnd(log) },
    isCopy: true,
    read: async (...wishes) => pair(readRangesHere(wishes)),
  };
}

/** The log is whole without them: where the host does not answer, what has come of them will do. */
async function askForSamples(
  desk: Desk,
  run: RunRecord,
  ask: (...wishes: readonly RangeWish[]) => Promise<readonly FileRange[]>,
  wish: RangeWish,
): Promise<readonly FileRange[]> {
  try {
    return await ask(wish);
  } catch (fault) {
    if (!(fault instanceof SortieError) || !isSilence(fault)) throw fault;
    return readRangesHere([{ ...wish, path: findMirrorPlace(desk, run, wish.path) }]);
  }
}

function pair([log, samples]: readonly FileRange[]): readonly [FileRange, FileRange] {
  const none = { size: null, from: 0, bytes: Buffer.alloc(0) };
  return [log ?? none, samples ?? none];
}
