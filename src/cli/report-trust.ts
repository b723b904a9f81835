import { SortieError } from "../base/error.ts";
import type { TargetChoice } from "../supervise/choose-target.ts";
import type { Io } from "./io.ts";

/** Shows the lines that a person has to trust before anything is planned. Answers with the exit code. */
export function reportTrust(io: Io, { trust }: Extract<TargetChoice, { trust: unknown }>): number {
  const error = new SortieError("trust_needed", { file: trust.file });
  if (io.json) io.printDocument({ trust, next: "sortie trust" });
  else {
    io.warn(error.message);
    for (const { line, text } of trust.lines) io.warn(`  ${trust.file}:${line}: ${text}`);
    io.warn(error.hint);
  }
  return error.exit;
}
