import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toSortieError } from "../../../base/error.ts";
import { isNumber, isOrNull, isShape, isText, parseJson } from "../../../base/shape.ts";
import { fetchVolumeFolder } from "../../../targets/modal/ask-modal.ts";
import type { ModalExit } from "../../../targets/modal/manifest.ts";
import { findVolumeFolder } from "../../../targets/modal/name-run.ts";
import type { Following } from "./following.ts";

const TRIES = 5;
const PAUSE_MS = 5000;
const FILE = "exit.json";

const isExit = isShape<ModalExit>({
  ...{ exitCode: isNumber, signal: isOrNull(isText), reason: isText },
  ...{ startedAt: isText, endedAt: isText, seconds: isNumber, starts: isNumber },
});

/** How the command ended, as the launcher wrote it on the volume; null: it did not, or there is no launcher. */
export async function loadExit({ modal, order, clock, stop }: Following): Promise<ModalExit | null> {
  if (order.volume === null) return null;
  const to = mkdtempSync(join(tmpdir(), "sortie-modal-"));
  try {
    for (let tries = 1; ; tries += 1) {
      const path = `${findVolumeFolder(order.runId)}/${FILE}`;
      try {
        await fetchVolumeFolder(modal, { volume: order.volume, path, to });
        const exit = parseJson(readFileSync(join(to, FILE), "utf8"), isExit);
        if (exit !== null) return exit;
      } catch (fault) {
        if (isAbsent(fault)) return null;
      }
      if (tries === TRIES || stop.aborted) return null;
      await clock.sleep(PAUSE_MS, stop);
    }
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
}

function isAbsent(fault: unknown): boolean {
  return /no such file|not found|does not exist/i.test(toSortieError(fault).message);
}
