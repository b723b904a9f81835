import { makeToken } from "../../base/ids.ts";
import type { Made, MadeWish } from "../../runs/made-files.ts";
import { makeMadeScript, parseMadeAnswer } from "../../runs/made-script.ts";
import { askForBytes } from "./ask-for-bytes.ts";
import type { HostRunner } from "./ask-host.ts";

/** A folder of hundreds of thousands of files on a network file system takes minutes to walk. */
const WALK_MS = 15 * 60_000;

/** What a run has made on its host, and when. @throws what keeps the host from answering */
export async function listMadeOverSsh(runner: HostRunner, wish: MadeWish): Promise<Made> {
  const token = makeToken();
  return askForBytes(runner, {
    script: makeMadeScript(wish, token),
    timeoutMs: WALK_MS,
    read: (printed) => parseMadeAnswer(printed, wish, token),
  });
}
