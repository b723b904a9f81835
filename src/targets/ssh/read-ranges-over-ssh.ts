import { makeToken } from "../../base/ids.ts";
import {
  type FileRange,
  makeRangesScript,
  parseRangesAnswer,
  type RangeWish,
} from "../../runs/file-ranges.ts";
import { askForBytes } from "./ask-for-bytes.ts";
import type { HostRunner } from "./ask-host.ts";

const ANSWER_MS = 60_000;

/** Ranges of several files of a host, in one command. @throws what keeps the host from answering */
export async function readRangesOverSsh(
  runner: HostRunner,
  wishes: readonly RangeWish[],
  { timeoutMs = ANSWER_MS }: { timeoutMs?: number } = {},
): Promise<FileRange[]> {
  if (wishes.length === 0) return [];
  const token = makeToken();
  return askForBytes(runner, {
    script: makeRangesScript(wishes, token),
    timeoutMs,
    read: (printed) => parseRangesAnswer(printed, wishes, token),
  });
}
