import type { SendReason } from "./send-rules.ts";

/** One file, or a folder as a whole, that is not sent. */
export interface LeftOut {
  /** Relative to the project, bytes that are not UTF-8 replaced; a folder's ends with a slash. */
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  readonly reason: SendReason;
  /** false: it is at least this much. */
  readonly exact: boolean;
}

/** All that is left out for one reason in one folder at the top of the project; `""` for the top itself. */
export interface LeftOutGroup extends LeftOut {
  readonly folder: string;
  /** How many files and whole folders it is made of. */
  readonly entries: number;
}

export interface LeftOutSum {
  readonly files: number;
  readonly bytes: number;
  readonly exact: boolean;
  /** Those with secrets first, then the largest; 200 at most. The `path` of a group is that of its first entry. */
  readonly groups: readonly LeftOutGroup[];
  /** In the same order, 200 at most. */
  readonly listed: readonly LeftOut[];
}

const LISTED = 200;

/** Adds up what is left out, in memory that does not grow with the number of files. */
export function makeLeftOutSum() {
  const groups = new Map<string, LeftOutGroup>();
  let listed: LeftOut[] = [];
  return {
    add(entry: LeftOut): void {
      const folder = entry.path.includes("/") ? `${entry.path.split("/", 1)[0]}/` : "";
      const key = `${entry.reason} ${folder}`;
      const group = groups.get(key);
      groups.set(key, group === undefined ? { ...entry, folder, entries: 1 } : addUp(group, entry));
      listed.push(entry);
      if (listed.length > 4 * LISTED) listed = listed.sort(compareLeftOut).slice(0, LISTED);
    },
    finish(): LeftOutSum {
      const all = [...groups.values()];
      return {
        files: all.reduce((sum, { files }) => sum + files, 0),
        bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
        exact: all.every(({ exact }) => exact),
        groups: all.sort(compareLeftOut).slice(0, LISTED),
        listed: listed.sort(compareLeftOut).slice(0, LISTED),
      };
    },
  };
}

function addUp(group: LeftOutGroup, entry: LeftOut): LeftOutGroup {
  return {
    ...group,
    entries: group.entries + 1,
    files: group.files + entry.files,
    bytes: group.bytes + entry.bytes,
    exact: group.exact && entry.exact,
  };
}

function compareLeftOut(a: LeftOut, b: LeftOut): number {
  return Number(isSecret(b)) - Number(isSecret(a)) || b.bytes - a.bytes || (a.path < b.path ? -1 : 1);
}

function isSecret({ reason }: LeftOut): boolean {
  return reason === "secret" || reason === "wandb_key";
}
