export interface Sample {
  readonly at: string;
  readonly logBytes: number;
  readonly memoryMiB: number | null;
  /** By GPU, in the order of the header. */
  readonly gpus: readonly { uuid: string; memoryMiB: number | null; loadPercent: number | null }[];
}

/** The lines of `samples.csv`; a line that was cut off in the middle is left out. */
export function parseSamples(text: string): Sample[] {
  const lines = text.split("\n");
  const columns = (lines[0] ?? "").split(",");
  const uuids = columns
    .slice(3)
    .filter((_, index) => index % 2 === 0)
    .map((name) => name.replace(/_memory_mib$/, ""));
  return lines
    .slice(1)
    .map((line) => line.split(","))
    .filter((fields) => fields.length === columns.length && fields[0] !== "")
    .map((fields) => ({
      at: fields[0] as string,
      logBytes: Number(fields[1]),
      memoryMiB: readNumber(fields[2]),
      gpus: uuids.map((uuid, index) => ({
        uuid,
        memoryMiB: readNumber(fields[3 + 2 * index]),
        loadPercent: readNumber(fields[4 + 2 * index]),
      })),
    }));
}

/** Where the log stood at that time: the last sample before it. Samples come every ten seconds. */
export function findOffsetAt(samples: readonly Sample[], time: Date): number {
  const before = samples.filter((sample) => Date.parse(sample.at) <= time.getTime());
  return before.at(-1)?.logBytes ?? 0;
}

function readNumber(field: string | undefined): number | null {
  return field === undefined || field === "" ? null : Number(field);
}
