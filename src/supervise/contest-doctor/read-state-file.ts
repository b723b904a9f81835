import { accessSync, constants, statSync } from "node:fs";
import { describeFault } from "../../base/error.ts";
import type { StateFile, StateName } from "../../challenge/state-file.ts";
import type { StateFileSymptoms } from "../../diagnosis/contest-symptoms.ts";

/** How the state file is, beyond its values. Nothing is mended. */
export function readStateFile({ path, unread }: StateFile): StateFileSymptoms {
  const lines = Object.entries(unread).map(([name, line]) => ({ name: name as StateName, line }));
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { path, exists: false, fault: null, isOpen: false, unread: [] };
    const isOpen = (stats.mode & 0o077) !== 0;
    if (!stats.isFile()) return { path, exists: true, fault: "it is no file", isOpen: false, unread: [] };
    accessSync(path, constants.R_OK);
    return { path, exists: true, fault: null, isOpen, unread: lines };
  } catch (fault) {
    return { path, exists: true, fault: describeFault(fault), isOpen: false, unread: [] };
  }
}
