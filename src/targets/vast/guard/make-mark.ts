import { makeToken } from "../../../base/ids.ts";
import { quotePath } from "../../../base/quote.ts";
import { makeSettings, readAnswer } from "../../../base/script.ts";
import type { Question } from "../../target.ts";
import type { ATTENDED_MARK, COLLECTED_MARK } from "./make-guard.ts";
import mark from "./mark.sh";

const ANSWER_MS = 10_000;

/** What home tells the guard. */
export interface GuardMark {
  readonly mark: typeof COLLECTED_MARK | typeof ATTENDED_MARK;
  /** Where it belongs, on the instance: absolute, or beginning with `~/`. */
  readonly folder: string;
  /** One line. */
  readonly text: string;
}

/** The question that puts a mark on the instance; answered with whether it is there now. Doing it twice is harmless. */
export function makeMark({ mark: name, folder, text }: GuardMark): Question<boolean> {
  const token = makeToken();
  const head = makeSettings({ sortie_mark: name, sortie_mark_text: text, sortie_token: token });
  return {
    script: [`sortie_mark_dir=${quotePath(folder)}\n`, head, mark].join("\n"),
    timeoutMs: ANSWER_MS,
    read: (stdout) => {
      const lines = readAnswer(stdout, token);
      return lines === null ? null : lines.some(([key]) => key === "marked");
    },
  };
}
