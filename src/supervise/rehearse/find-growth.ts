import type { MemorySample } from "./evidence.ts";

/** How much one process grew while so many observations were answered. */
export interface Growth {
  readonly bytes: number;
  readonly answers: number;
  readonly isLeak: boolean;
}

const LEAST_SAMPLES = 6;
const LEAST_ANSWERS = 8;
/** What an interpreter may gain by the way. */
const HANDLER_ROOM_BYTES = 12 * 1024 * 1024;
/** The garbage collector of the agent itself lets far more pile up between two rounds. */
const ROOT_ROOM_BYTES = 128 * 1024 * 1024;
/** Less than this for each observation would fill no machine within a job. */
const LEAST_EACH_BYTES = 128 * 1024;

/**
 * Whether a process grows with what it answers: its least memory in the first third of the samples against that in the
 * last. The least is what stays; what is above it comes and goes. Undefined where there is too little to tell by.
 */
export function findGrowth(memory: readonly MemorySample[], pid: number): Growth | undefined {
  const samples = memory.filter((sample) => sample.pid === pid);
  const third = Math.floor(samples.length / 3);
  if (samples.length < LEAST_SAMPLES) return undefined;
  const [early, late] = [samples.slice(0, third), samples.slice(-third)];
  const [before, after] = [findLeast(early), findLeast(late)];
  const answers = after.answered - before.answered;
  if (answers < LEAST_ANSWERS) return undefined;
  const bytes = Math.max(0, after.bytes - before.bytes);
  const room = after.isRoot ? ROOT_ROOM_BYTES : HANDLER_ROOM_BYTES;
  return { bytes, answers, isLeak: bytes > room && bytes / answers > LEAST_EACH_BYTES };
}

function findLeast(samples: readonly MemorySample[]): MemorySample {
  return samples.reduce((least, sample) => (sample.bytes < least.bytes ? sample : least));
}
