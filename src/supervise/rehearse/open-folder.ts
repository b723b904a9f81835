import { accessSync, constants, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { describeFault, SortieError } from "../../base/error.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { makeTempFolder } from "../../process/temp-folder.ts";

/** Where the logs and events of a rehearsal go. */
export interface RehearsalFolder {
  readonly path: string;
  /** Removes it, unless the person wants to keep it. */
  readonly close: () => void;
}

/** A folder that the person named, or one for the time being. @throws SortieError `rehearsal_folder` */
export function openFolder(keepFolder: string | undefined): RehearsalFolder {
  if (keepFolder === undefined) return makeTemporary();
  try {
    makeFolder(keepFolder);
    accessSync(keepFolder, constants.W_OK);
    return { path: keepFolder, close: () => undefined };
  } catch (fault) {
    throw new SortieError("rehearsal_folder", { path: keepFolder, reason: describeFault(fault) }, fault);
  }
}

/** Removed also where the process ends at once, as by a second Ctrl-C. */
function makeTemporary(): RehearsalFolder {
  const made = makeTempFolder("sortie-rehearsal-");
  if ("notMade" in made) throw new SortieError("rehearsal_folder", { path: tmpdir(), reason: made.notMade });
  const { path } = made;
  const remove = () => rmSync(path, { recursive: true, force: true });
  process.once("exit", remove);
  return {
    path,
    close: () => {
      process.off("exit", remove);
      remove();
    },
  };
}
