import { describeFault, SortieError } from "../base/error.ts";
import type { Environment } from "../supervise/desk.ts";

/** Where a command speaks: results to stdout, words for people to stderr when stdout holds JSON. */
export interface Io {
  readonly json: boolean;
  /** A person is there who can be asked. */
  readonly isTerminal: boolean;
  /** Both sizes are those of this moment. */
  readonly columns: number;
  /** How many lines the terminal shows at once; null where none is there. */
  readonly rows: number | null;
  readonly env: Environment;
  /** The folder that it was called in. @throws folder_missing */
  readonly cwd: string;
  /** How to start this same Sortie again. */
  readonly self: readonly string[];
  /** Aborts when nobody reads stdout any more (`| head`): for what would go on only to be read. */
  readonly readerGone: AbortSignal;
  /** A line for people. */
  say(line?: string): void;
  /** A line about trouble, always on stderr. */
  warn(line: string): void;
  /** Raw text on stdout. */
  write(text: string | Uint8Array): void;
  /** One JSON document on stdout, with `schema: 1`. */
  printDocument(document: object): void;
}

export function makeIo(options: { json: boolean; self: readonly string[] }): Io {
  const { json, self } = options;
  const people = json ? process.stderr : process.stdout;
  return {
    json,
    isTerminal: Boolean(process.stdin.isTTY && process.stdout.isTTY) && !json,
    get columns() {
      return people.columns || 80;
    },
    get rows() {
      return people.rows || null;
    },
    env: process.env,
    get cwd() {
      return findFolder();
    },
    self,
    readerGone: listenForLostReader(),
    say: (line = "") => void people.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`${line}\n`),
    write: (text) => void process.stdout.write(text),
    printDocument: (document) =>
      void process.stdout.write(`${JSON.stringify({ schema: 1, ...document }, null, 2)}\n`),
  };
}

function listenForLostReader(): AbortSignal {
  const controller = new AbortController();
  process.stdout.on("error", () => controller.abort());
  return controller.signal;
}

/** Asked for only where it is needed: in a folder that was removed, what needs none goes on. */
function findFolder(): string {
  try {
    return process.cwd();
  } catch (fault) {
    const path = process.env["PWD"] || ".";
    throw new SortieError("folder_missing", { path, reason: describeFault(fault) }, fault);
  }
}
