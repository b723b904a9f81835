import { SortieError } from "../../base/error.ts";

/** Makes the error that refuses a specification; `line` counts from 1, null where no line is to blame. */
export type Refuse = (line: number | null, reason: string, advice?: string) => SortieError;

export function makeRefuse(file: string): Refuse {
  return (line, reason, advice = "Mend that line; `sortie env hash FILE` says whether it can be read.") =>
    new SortieError("spec_bad", { file, line, place: line === null ? "" : `, line ${line}`, reason, advice });
}
