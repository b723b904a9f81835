import { makePrintable } from "../../base/printable.ts";
import { isLoginFault } from "./ask-modal.ts";
import { FAULT_ROWS, type FaultRow, type ModalFaultKind, type ModalSetting } from "./fault-rows.ts";

const MOST_LINES = 40;
const LINES_BEFORE = 20;
const MOST_CHARACTERS = 6000;

export interface ModalFault {
  readonly kind: ModalFaultKind;
  /** Modal's own words, with the lines round them; only control characters are made visible. */
  readonly text: string;
  /** What has to change before the same launch can do better; empty: nothing of the project's. */
  readonly change: readonly ModalSetting[];
  readonly advice: string;
  /** The same launch may succeed later, unchanged. */
  readonly isPassing: boolean;
}

/**
 * Why `modal run` failed, out of all that it printed (the app's own lines among it); null: nothing of Modal's is at fault,
 * as far as it says. To be asked only of a call that failed.
 */
export function judgeOutput(output: string): ModalFault | null {
  const lines = output.split("\n").map((line) => line.replace(/\r$/, ""));
  const errorAt = lines.findLastIndex((line) => MODAL_ERROR.test(bare(line)));
  const message = errorAt === -1 ? "" : joinError(lines, errorAt);
  const row = FAULT_ROWS.find(({ says }) => says?.test(message));
  if (row !== undefined) return makeFault(row, cutOut(lines, errorAt));
  if (isLoginFault(message)) return makeFault(LOGIN, cutOut(lines, errorAt));
  for (const row of FAULT_ROWS) {
    const at = lines.findLastIndex((line) => row.event?.test(bare(line)));
    if (at !== -1) return makeFault(row, cutOut(lines, at));
  }
  return null;
}

const LOGIN: FaultRow = {
  kind: "login",
  change: [],
  advice: "Run `modal setup` once, or set MODAL_TOKEN_ID and MODAL_TOKEN_SECRET.",
  isPassing: true,
};

function makeFault({ kind, change, advice, isPassing = false }: FaultRow, text: string): ModalFault {
  return { kind, text, change, advice, isPassing };
}

/** A line without the frame that Modal draws round errors on a terminal. */
function bare(line: string): string {
  return line
    .replace(/^[\s│╭╰─|]+/, "")
    .replace(/[\s│╮╯─|]+$/, "")
    .trim();
}

/** How an error of Modal's own begins: as its program prints it, or as an exception. */
const MODAL_ERROR =
  /^(Error\b|modal\.exception\.\w+|(Auth|Conflict|Connection|Execution|FunctionTimeout|ImageBuild|Internal|Invalid|NotFound|PermissionDenied|Remote|ResourceExhausted|Service|Version)Error\b)/;

/** The error's whole message: it may go on over several lines. */
function joinError(lines: readonly string[], at: number): string {
  return lines
    .slice(at, at + 6)
    .map(bare)
    .join(" ");
}

/** The error, and what was said before it: a build says there what was wrong. */
function cutOut(lines: readonly string[], at: number): string {
  const part = lines.slice(Math.max(0, at - LINES_BEFORE), at - LINES_BEFORE + MOST_LINES);
  return makePrintable(part.join("\n")).trim().slice(-MOST_CHARACTERS);
}
