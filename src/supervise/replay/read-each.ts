import { SortieError } from "../../base/error.ts";

/** A file that could not be read as a recording. */
export interface FileFault {
  readonly file: string;
  readonly error: SortieError;
}

export interface ReadFiles<Result> {
  readonly results: readonly Result[];
  readonly faults: readonly FileFault[];
  /** Those that were not read, since a result was the last. */
  readonly left: readonly string[];
}

/**
 * Reads files one after another. One that is no recording does not keep others from being read; where none is one, the first
 * fault is thrown. `isLast`: a result after which nothing is read any more.
 */
export async function readEach<Result>(
  files: readonly string[],
  read: (file: string) => Promise<Result>,
  isLast: (result: Result) => boolean = () => false,
): Promise<ReadFiles<Result>> {
  const results: Result[] = [];
  const faults: FileFault[] = [];
  for (const [index, file] of files.entries()) {
    try {
      const result = await read(file);
      results.push(result);
      if (isLast(result)) return { results, faults, left: files.slice(index + 1) };
    } catch (error) {
      if (!isOfFile(error)) throw error;
      faults.push({ file, error });
    }
  }
  const [first] = faults;
  if (first !== undefined && results.length === 0) throw first.error;
  return { results, faults, left: [] };
}

function isOfFile(error: unknown): error is SortieError {
  return error instanceof SortieError && ["recording_bad", "file_unreadable"].includes(error.code);
}
