import type { RunModalFault } from "../../../runs/run-modal.ts";
import { judgeOutput } from "../../../targets/modal/judge-output.ts";

const MOST_CHARACTERS = 300;

/** What of Modal's was wrong, out of all that was printed; null: nothing, as far as it says. */
export function describeFaultOf(output: string): RunModalFault | null {
  const fault = judgeOutput(output);
  if (fault === null) return null;
  const { kind, text, change, advice, isPassing } = fault;
  return { kind, text, change, advice, isPassing, line: findLine(text) };
}

/** The last line that names an error; else the last one. */
function findLine(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.replace(/^[\s│╭╰─|]+|[\s│╮╯─|]+$/g, ""))
    .filter((line) => line !== "");
  const line = lines.findLast((one) => /error/i.test(one) && !/^Error$/i.test(one)) ?? lines.at(-1) ?? "";
  const isCut = /^(\w+\.)*\w*Error:?$/.test(line);
  return (isCut ? `${line} ${lines[lines.indexOf(line) + 1] ?? ""}` : line).slice(0, MOST_CHARACTERS);
}
