import type { Store } from "../../store/store.ts";
import { readSetting, writeSetting } from "./settings.ts";

/** Who plays the cases of a board. */
export type BoardKind = "built-in" | "outside";

/** The setting that says how boards were played, and from which job on. */
const KEY = "board_kinds";

interface Turn {
  readonly kind: BoardKind;
  readonly fromJob: number;
}

/** Keeps how boards are played from now on. What is known of a board that is gone stays. */
export function noteBoardKinds(records: Store, kinds: ReadonlyMap<string, BoardKind>): void {
  records.together(() => {
    const turns = readTurns(records);
    const last = (records.find("SELECT MAX(id) AS id FROM jobs")?.["id"] as number | null) ?? 0;
    for (const [board, kind] of kinds) {
      const known = turns[board] ?? [];
      if (known.at(-1)?.kind === kind) continue;
      turns[board] = [...known, { kind, fromJob: known.length === 0 ? 0 : last + 1 }];
    }
    writeSetting(records, KEY, JSON.stringify(turns));
  });
}

/** How a board was played when a job for it was submitted; undefined: that was never noted. */
export function findBoardKind(records: Store, board: string, jobId: number): BoardKind | undefined {
  return (readTurns(records)[board] ?? []).findLast(({ fromJob }) => fromJob <= jobId)?.kind;
}

/** The boards of all jobs that were ever submitted. */
export function listBoardsOfJobs(records: Store): string[] {
  return records.list("SELECT DISTINCT board FROM jobs ORDER BY board").map((row) => row["board"] as string);
}

function readTurns(records: Store): Record<string, readonly Turn[]> {
  return JSON.parse(readSetting(records, KEY) ?? "{}");
}
