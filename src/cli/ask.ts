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

/** Asks a person to choose; null when the question is dismissed, or taken back by the signal. */
export async function askForOne<Value extends string>(
  message: string,
  choices: readonly (readonly [value: Value, label: string])[],
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Value | null> {
  const { isCancel, select } = await import("@clack/prompts");
  // The prompt's option type is conditional on its value type, which a generic cannot satisfy.
  const options: { value: string; label: string }[] = choices.map(([value, label]) => ({ value, label }));
  const answer = await select({ message, options, ...(signal ? { signal } : {}) });
  return isCancel(answer) ? null : (answer as Value);
}

/** Asks for a whole number, with no answer given beforehand. @throws interrupted, when the question is dismissed */
export async function askForNumber(
  message: string,
  { least, most }: { least: number; most: number },
): Promise<number> {
  const { isCancel, text } = await import("@clack/prompts");
  const answer = await text({
    message,
    validate: (typed = "") =>
      /^\d{1,6}$/.test(typed.trim()) && Number(typed) >= least && Number(typed) <= most
        ? undefined
        : `A whole number from ${least} to ${most}.`,
  });
  if (isCancel(answer)) throw new SortieError("interrupted");
  return Number(answer);
}
