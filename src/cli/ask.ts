import { SortieError } from "../base/error.ts";
import type { Io } from "./io.ts";

/** Asks a person; without a terminal the answer is no. @throws interrupted, when the question is dismissed */
export async function askYesNo(io: Io, message: string, initialValue: boolean): Promise<boolean> {
  if (!io.isTerminal) return false;
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message, initialValue });
  if (isCancel(answer)) throw new SortieError("interrupted");
  return answer;
}

/** Asks a person to choose; null when the question is dismissed. */
export async function askForOne<Value extends string>(
  message: string,
  choices: readonly (readonly [value: Value, label: string])[],
): Promise<Value | null> {
  const { isCancel, select } = await import("@clack/prompts");
  // The prompt's option type is conditional on its value type, which a generic cannot satisfy.
  const options: { value: string; label: string }[] = choices.map(([value, label]) => ({ value, label }));
  const answer = await select({ message, options });
  return isCancel(answer) ? null : (answer as Value);
}
