import type { LineReading } from "./line-reading.ts";

/** Where each process is in its training, by what its earlier lines said. */
export type Positions = Map<string, { epoch: number | null; step: number | null }>;

const HEADER =
  /^[^A-Za-z0-9]{0,40}(?:step|iter|iteration|update|batch)[ :#[(=]{0,4}\d+(?: ?(?:\/|of) ?\d+)?[^A-Za-z0-9]{0,40}$/i;
const LONGEST_HEADER = 100;
/** More processes than these in one log are not told apart by their position. */
const MOST_PROCESSES = 256;

/**
 * Gives a line that tells no epoch the last one that its process told, and one that tells no step that of a header: a line
 * with nothing but `Step 100`. A header holds until another step or epoch is told.
 */
export function followPosition(
  line: string,
  reading: LineReading,
  source: string,
  positions: Positions,
): void {
  const known = positions.get(source) ?? { epoch: null, step: null };
  const { epoch, step } = reading;
  reading.epoch = epoch ?? known.epoch;
  if (step === null && epoch === null) reading.step = known.step;
  const isHeader =
    step !== null && reading.names.length === 0 && line.length <= LONGEST_HEADER && HEADER.test(line);
  const headed = isHeader ? step : step === null && epoch === null ? known.step : null;
  if (reading.epoch === known.epoch && headed === known.step) return;
  if (positions.size >= MOST_PROCESSES && !positions.has(source)) return;
  positions.set(source, { epoch: reading.epoch, step: headed });
}
