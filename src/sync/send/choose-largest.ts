interface Sized {
  readonly path: Buffer;
  readonly bytes: number;
}

/** The largest, the largest first, at most so many. */
export function chooseLargest<File extends Sized>(files: readonly File[], most: number): File[] {
  let largest: File[] = [];
  for (const file of files) {
    largest.push(file);
    // Sorted now and then: files are many, and few of them count.
    if (largest.length > 4 * most) largest = sortBySize(largest).slice(0, most);
  }
  return sortBySize(largest).slice(0, most);
}

function sortBySize<File extends Sized>(files: readonly File[]): File[] {
  return [...files].sort((a, b) => b.bytes - a.bytes);
}
