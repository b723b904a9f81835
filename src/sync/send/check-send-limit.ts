import { formatBytes } from "../../base/bytes.ts";
import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { chooseLargest } from "./choose-largest.ts";
import { formatCount } from "./format-count.ts";
import type { FoundFile } from "./sort-files.ts";

/** More than this is no code: something was taken for it that should not be sent with every run. */
const NAMED = 5;
const MAX_BYTES = 2_000_000_000;
const MAX_FILES = 200_000;

/** What `--copy` asked for does not count: somebody meant it. @throws sync_too_much */
export function checkSendLimit(found: readonly FoundFile[]): void {
  const counted = found.filter(({ wish }) => wish !== "named" && wish !== "copied");
  const bytes = counted.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= MAX_BYTES && counted.length <= MAX_FILES) return;
  throw new SortieError("sync_too_much", {
    ...{ files: formatCount(counted.length), size: formatBytes(bytes) },
    ...{ maxFiles: formatCount(MAX_FILES), maxSize: formatBytes(MAX_BYTES) },
    largest: chooseLargest(counted, NAMED).map(
      (file) => `${makePrintable(`${file.path}`)} (${formatBytes(file.bytes)})`,
    ),
  });
}
