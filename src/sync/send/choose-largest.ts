interface Sized {
  readonly path: Buffer;
  readonly bytes: number;
}

const SHOWN = 5;

/** The largest five, the largest first. */
export function chooseLargest<File extends Sized>(files: readonly File[]): File[] {
  let largest: File[] = [];
  for (const file of files) {
    if (largest.length === SHOWN && file.bytes <= (largest.at(-1)?.bytes ?? 0)) continue;
    largest = [...largest, file].sort((a, b) => b.bytes - a.bytes).slice(0, SHOWN);
  }
  return largest;
}
