import checkText from "./check-sent.sh";

/** The functions of check-sent.sh, for the head of a script. */
export const checkSentFunctions = checkText;

/** What `sortie_check_sent` found. */
export interface SentCheck {
  /** Why nothing can be said: no_folder, no_manifest, no_tool, tool_failed; null where something can. */
  readonly unchecked: string | null;
  /** How many files are missing or different. */
  readonly faults: number;
  /** At most five of them, without the `./` and with `\n`, `\r`, `\\` for the characters that have no place in a line. */
  readonly missing: readonly string[];
  readonly different: readonly string[];
}

/** @param answer the lines `key=value` that the script printed; others may be among them */
export function readSentCheck(answer: readonly (readonly [key: string, value: string])[]): SentCheck {
  const pick = (wanted: string) => answer.filter(([key]) => key === wanted).map(([, value]) => value);
  const pickPaths = (wanted: string) => pick(wanted).map((path) => path.replace(/^\.\//, ""));
  const [faults] = pick("sent_faults");
  const [unchecked = faults === undefined ? "tool_failed" : null] = pick("sent_unchecked");
  return {
    unchecked,
    faults: Number(faults ?? 0),
    missing: pickPaths("sent_missing"),
    different: pickPaths("sent_different"),
  };
}
