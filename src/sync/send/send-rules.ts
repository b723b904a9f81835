import { isGeneratedFile, isVersionFolder } from "../generated-files.ts";
import { isSecretFile } from "../secret-files.ts";
import type { EntryKind } from "../walk-files.ts";
import { isCheckpointName, isCodeName, isDataFolder } from "./data-names.ts";

/** How a person asked for a file: by `--copy` itself, by `--copy` of a folder above it, by `sync_include`, or not. */
export type Wish = "named" | "copied" | "included" | "none";

/** What the rules look at. */
export interface SendFacts {
  /** Relative to the project, bytes that are not UTF-8 replaced; a folder's ends with a slash. */
  readonly path: string;
  /** Where it lies. */
  readonly place: Buffer;
  readonly kind: EntryKind | "folder";
  /** 0 for a folder. */
  readonly bytes: number;
  readonly wish: Wish;
  /** In git's index. */
  readonly tracked: boolean;
  readonly ignored: boolean;
  /** In a folder that is a program's own by a mark in it. */
  readonly marked: boolean;
  readonly excluded: boolean;
  readonly result: boolean;
  /** Known only once the file has been read. */
  readonly holdsKey: boolean;
}

interface SendRule {
  /** For people, after the name of what is left out. */
  readonly words: string;
  readonly overruledBy: readonly Wish[];
  applies(facts: SendFacts): boolean;
}

const MAX_FILE_BYTES = 50_000_000;
/** What git tracks and is smaller belongs to the code, though its name is that of a checkpoint: a fixture. */
const FIXTURE_BYTES = 1_000_000;

const ANY: readonly Wish[] = ["named", "copied", "included"];
const COPY: readonly Wish[] = ["named", "copied"];

/** Why something is not sent. The first rule that applies and that nobody overruled decides. */
const sendRules = {
  special: {
    words: "neither a file nor a link",
    overruledBy: [],
    applies: ({ kind }) => kind === "special",
  },
  version: {
    words: "version control's own",
    overruledBy: COPY,
    applies: ({ path }) => listFolders(path).some(isVersionFolder),
  },
  secret: {
    words: "looks like a secret",
    overruledBy: ["named"],
    applies: ({ kind, place }) => kind === "file" && isSecretFile(place),
  },
  wandb_key: {
    words: "holds a W&B API key",
    overruledBy: ["named"],
    applies: ({ holdsKey }) => holdsKey,
  },
  ledger: {
    words: "the ledger of environments",
    overruledBy: ANY,
    applies: ({ path }) => path.startsWith(".aris/compute/"),
  },
  excluded: {
    words: "named by sync_exclude",
    overruledBy: COPY,
    applies: ({ excluded }) => excluded,
  },
  result: {
    words: "a result of the run",
    overruledBy: ANY,
    applies: ({ tracked, result }) => !tracked && result,
  },
  generated: {
    words: "made by a program",
    overruledBy: ANY,
    applies: ({ tracked, marked, path }) => !tracked && (marked || isGeneratedFile(path)),
  },
  data: {
    words: "data, checkpoints or output",
    overruledBy: ANY,
    applies: ({ path, kind, tracked }) =>
      isDataFolder(path.split("/", 1)[0] as string) &&
      (path.includes("/") || kind === "link") &&
      !(tracked && isCodeName(path)),
  },
  checkpoint: {
    words: "a checkpoint or array, by its name",
    overruledBy: ANY,
    applies: ({ path, tracked, bytes }) => isCheckpointName(path) && !(tracked && bytes < FIXTURE_BYTES),
  },
  big: {
    words: "over 50 MB",
    overruledBy: ANY,
    applies: ({ kind, bytes }) => kind === "file" && bytes > MAX_FILE_BYTES,
  },
  ignored: {
    words: "ignored by git",
    overruledBy: ANY,
    applies: ({ ignored }) => ignored,
  },
} satisfies Record<string, SendRule>;

export type SendReason = keyof typeof sendRules;

const rows = Object.entries(sendRules) as [SendReason, SendRule][];

/** Why this is not sent; null when it is. */
export function findSendReason(facts: SendFacts): SendReason | null {
  const row = rows.find(([, rule]) => !rule.overruledBy.includes(facts.wish) && rule.applies(facts));
  return row?.[0] ?? null;
}

/** `looks like a secret` */
export function describeSendReason(reason: SendReason): string {
  return sendRules[reason].words;
}

/** The names of the folders in a path; of a folder's path, its own too. */
function listFolders(path: string): string[] {
  return path.split("/").slice(0, -1);
}
