import type { LogSource } from "./log-source.ts";

const BLOCK = 256 * 1024;
/** Time, bytes of the log, and more behind them: a line that was cut off in the middle is none. */
const SAMPLE = /^([^,]+),(\d+),/;

/**
 * Where the log stood at that time, by `samples.csv`: the last sample before it. Samples come every ten seconds.
 * Read backwards, since people ask for what was not long ago, and a long run has many samples.
 */
export async function findOffsetAt(samples: LogSource, time: Date): Promise<number> {
  let end = await samples.size();
  let rest = "";
  while (end > 0) {
    const start = Math.max(0, end - BLOCK);
    const block = Buffer.from(await samples.read(start, end - start)).toString("latin1");
    const lines = `${block}${rest}`.split("\n");
    // The first one begins in the block before.
    rest = start > 0 ? (lines.shift() as string) : "";
    for (const line of lines.reverse()) {
      const [, at = "", logBytes] = SAMPLE.exec(line) ?? [];
      if (Date.parse(at) <= time.getTime()) return Number(logBytes);
    }
    end = start;
  }
  return 0;
}
