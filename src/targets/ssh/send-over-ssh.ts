import type { CodeToSend, Transfer } from "../target.ts";
import type { HostRunner } from "./ask-host.ts";

/** A large first transfer over a slow line; it goes on where it was cut. */
const SEND_MS = 24 * 3600 * 1000;

/** Sends code by rsync. @throws sync_failed, and what the network throws */
export async function sendOverSsh(
  runner: HostRunner,
  { source, codeDir, list, byContent }: CodeToSend,
  { onProgress, signal }: { onProgress?: (transfer: Transfer) => void; signal?: AbortSignal },
): Promise<void> {
  await runner.rsync({
    ...{ direction: "send", folder: source, remoteFolder: codeDir, timeoutMs: SEND_MS },
    filesFrom: splitList(list),
    args: byContent ? ["--checksum"] : [],
    ...(onProgress ? { onProgress: ({ bytes, percent }) => onProgress({ bytes, part: percent / 100 }) } : {}),
    ...(signal ? { signal } : {}),
  });
}

/** Paths, each ended by a NUL. */
function splitList(list: Uint8Array): Uint8Array[] {
  const paths: Uint8Array[] = [];
  let start = 0;
  for (let end = list.indexOf(0); end !== -1; end = list.indexOf(0, start)) {
    paths.push(list.subarray(start, end));
    start = end + 1;
  }
  return paths;
}
