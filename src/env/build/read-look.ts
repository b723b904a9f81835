import { readAnswer } from "../../base/script.ts";
import type { ReadyEnvironment } from "./environment-status.ts";
import { parseReady } from "./ready-file.ts";

/** What one look at a build has shown. */
export interface Look {
  /** `unable`: it could not begin. `ended`: it failed, or was stopped. `killed`: its builder is gone and has left no word. */
  readonly state: "ready" | "building" | "ended" | "killed" | "unable";
  readonly ready: ReadyEnvironment | null;
  /** null: none is followed. */
  readonly build: string | null;
  readonly log: string | null;
  /** The caller has started it. */
  readonly isOurs: boolean;
  /** What else was said: `fault` and `detail`, or `code`, `step`, `reason`, `free_kib`. */
  readonly values: Readonly<Partial<Record<string, string>>>;
  /** The bytes of its log that were not known. */
  readonly output: Buffer;
  /** There are more of them. */
  readonly hasMore: boolean;
}

/** null: the look did not come to its end. */
export function readLook(stdout: Buffer, token: string): Look | null {
  const marker = Buffer.from(`end=${token}\n`);
  const at = stdout.indexOf(marker);
  if (at === -1) return null;
  const lines = readAnswer(stdout.subarray(0, at + marker.length).toString(), token);
  if (lines === null) return null;
  const values: Partial<Record<string, string>> = Object.fromEntries(lines);
  const log = readLog(stdout.subarray(at + marker.length), token);
  const ready = parseReady(values["ready"]);
  if (log === null && values["build"] !== undefined) return null;
  return {
    state: findState(values["state"], ready),
    ready,
    build: values["build"] ?? null,
    log: values["log"] ?? null,
    isOurs: values["ours"] === "yes",
    values,
    ...(log ?? { output: Buffer.alloc(0), hasMore: false }),
  };
}

/** `log=TOKEN MORE COUNT`, a line feed, the bytes; MORE: how many are there behind them. null: not all of them came. */
function readLog(rest: Buffer, token: string): Pick<Look, "output" | "hasMore"> | null {
  const lineEnd = rest.indexOf("\n");
  const [mark, more, count] = rest.subarray(0, Math.max(lineEnd, 0)).toString().split(" ");
  const output = rest.subarray(lineEnd + 1, lineEnd + 1 + Number(count));
  if (mark !== `log=${token}` || output.length !== Number(count)) return null;
  return { output, hasMore: Number(more) > 0 };
}

function findState(said: string | undefined, ready: ReadyEnvironment | null): Look["state"] {
  const state = (["ready", "building", "ended", "killed"] as const).find((known) => known === said);
  return state === undefined || (state === "ready" && ready === null) ? "unable" : state;
}
