import {
  isEachValue,
  isFlag,
  isNumber,
  isOneOf,
  isOrAbsent,
  isOrNull,
  isShape,
  isText,
  isTextList,
} from "../base/shape.ts";

/** A run that is on Modal, as its record keeps it: what it was started with, and what is known of its app since. */
export interface RunModal {
  /** Its Python file, or module. */
  readonly file: string;
  readonly kind: "own app" | "launcher";
  /** null: a launcher's only one. */
  readonly function: string | null;
  /** The name by which `modal app list` shows it. */
  readonly app: string;
  /** null: the program is too old to say. */
  readonly workspace: string | null;
  /** In Modal's words; `unknown`: only the app knows. */
  readonly gpus: readonly string[] | "unknown";
  readonly timeoutS: number | null;
  readonly volumes: readonly string[];
  readonly secrets: readonly string[];
  /** Where on the first volume its results lie; null: the app decides. */
  readonly volumeFolder: string | null;
  readonly dollarsPerHour: number | null;
  /** What each setting meant at its start. */
  readonly states: Readonly<Record<string, string>>;
  /** `ap-…`; null, or absent: it was not made, or the run has not ended. */
  readonly appId?: string | null;
  /** Where Modal shows it. */
  readonly page?: string | null;
  /** What of Modal's was wrong; null, or absent: nothing that is known. */
  readonly fault?: RunModalFault | null;
}

export interface RunModalFault {
  readonly kind: string;
  /** Modal's own words, with the lines round them. */
  readonly text: string;
  /** The one of them that says it. */
  readonly line: string;
  /** The settings that it is about. */
  readonly change: readonly string[];
  readonly advice: string;
  /** The same launch may succeed later, unchanged. */
  readonly isPassing: boolean;
}

/** Whether a value from outside is one; what is known since its start may be missing. */
export const isRunModal = isShape<RunModal>({
  ...{ file: isText, kind: isOneOf("own app", "launcher"), function: isOrNull(isText), app: isText },
  ...{ workspace: isOrNull(isText), timeoutS: isOrNull(isNumber), volumes: isTextList, secrets: isTextList },
  gpus: (value) => value === "unknown" || isTextList(value),
  ...{ volumeFolder: isOrNull(isText), dollarsPerHour: isOrNull(isNumber), states: isEachValue(isText) },
  ...{ appId: isOrAbsent(isOrNull(isText)), page: isOrAbsent(isOrNull(isText)) },
  fault: isOrAbsent(
    isOrNull(
      isShape<RunModalFault>({
        ...{ kind: isText, text: isText, line: isText, change: isTextList, advice: isText },
        isPassing: isFlag,
      }),
    ),
  ),
});
