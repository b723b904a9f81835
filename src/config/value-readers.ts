import { parseDuration } from "../base/duration.ts";
import { SortieError } from "../base/error.ts";
import { findNearest } from "../base/nearest.ts";
import { parseActivation, parseConda, parseCondaHook, parseVenv } from "./conda.ts";
import { findKind } from "./gpu-kind.ts";
import type { KeyRow, ValueType } from "./keys/define.ts";
import { parseSshAddress } from "./ssh-address.ts";
import type { ValueText } from "./value-text.ts";

/** A value of its key's type, or what is wrong with it, as the end of a sentence: "must be true or false". */
export type ReadValue = { readonly value: unknown } | { readonly problem: string; readonly nearest?: string };

/** Reads the text of a value by its key's row. A problem never repeats a secret. */
export function readValue(row: KeyRow, written: ValueText): ReadValue {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a path or name with these in it is a mistake or an attack
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(written.text))
    return { problem: "holds a control character" };
  return READERS[row.type](written, row);
}

const READERS: Record<ValueType, (written: ValueText, row: KeyRow) => ReadValue> = {
  text: ({ text }) => ({ value: text }),
  list: ({ words }) => ({ value: words }),
  boolean: readBoolean,
  integer: ({ text }) =>
    /^[1-9]\d{0,14}$/.test(text) ? { value: Number(text) } : bad("a whole number above 0", text),
  number: ({ text }) => (isPositive(text) ? { value: Number(text) } : bad("a number above 0", text)),
  usd: readUsd,
  duration: readDuration,
  choice: ({ text }, row) => readChoice(text, row.choices ?? []),
  slurm_time: readSlurmTime,
  memory: ({ text }) =>
    /^\d+(?:\.\d+)?\s*[KMGT]?i?B?$/i.test(text)
      ? { value: text.replace(/\s|i?b$/gi, "").toUpperCase() }
      : bad("an amount such as 32G", text),
  boolean_or_path: (written) => {
    const read = readBoolean(written);
    return "value" in read ? read : { value: written.text };
  },
  gpu: ({ text }) => ({ value: findKind(text) ?? null }),
  ssh: ({ text }) => parseSshAddress(text),
  conda: ({ text, note }) => ({ value: parseConda(text, note) }),
  conda_hook: ({ text }) => ({ value: parseCondaHook(text) }),
  activation: ({ text, note }) => ({ value: parseActivation(text, note) }),
  venv: ({ text }) => ({ value: parseVenv(text) }),
};

function readBoolean({ text }: ValueText): ReadValue {
  const word = text.toLowerCase();
  if (["true", "yes", "on"].includes(word)) return { value: true };
  if (["false", "no", "off"].includes(word)) return { value: false };
  return {
    problem: `must be true or false, not ${quote(text)}`,
    nearest: findNearest(word, ["true", "false"]),
  };
}

function readUsd({ text }: ValueText): ReadValue {
  const amount = /^(?:\$|usd)?\s*([\d.]+)\s*(?:\$|usd|dollars?)?$/i.exec(text)?.[1];
  if (amount !== undefined && isPositive(amount)) return { value: Number(amount) };
  return bad("an amount of US dollars above 0, such as 5.00", text);
}

function readDuration({ text }: ValueText, { mayBeZero }: Pick<KeyRow, "mayBeZero">): ReadValue {
  const short = text
    .toLowerCase()
    .replace(
      /\s*(seconds?|secs?|minutes?|mins?|hours?|hrs?|days?)\b\s*/g,
      (_, unit: string) => unit[0] as string,
    )
    .replace(/(?<=\d)\s+(?=[smhd])/g, "");
  try {
    const seconds = parseDuration(short, "");
    return seconds > 0 || (mayBeZero && seconds === 0)
      ? { value: seconds }
      : bad("longer than nothing", text);
  } catch (fault) {
    if (!(fault instanceof SortieError)) throw fault;
    return bad("seconds, or a duration such as 90s, 15m, 1h30m", text);
  }
}

function readChoice(text: string, choices: readonly string[]): ReadValue {
  const choice = choices.find((candidate) => candidate === text.toLowerCase());
  if (choice !== undefined) return { value: choice };
  return {
    problem: `must be ${choices.join(" or ")}, not ${quote(text)}`,
    nearest: findNearest(text, choices),
  };
}

function readSlurmTime(written: ValueText): ReadValue {
  const { text } = written;
  if (/^(?:\d+-)?\d+(?::\d{1,2}){0,2}$/.test(text) || /^(?:unlimited|infinite)$/i.test(text))
    return { value: text };
  const read = readDuration(written, {});
  if (!("value" in read)) return bad("a time that sbatch takes, such as 1-12:00:00 or 2h", text);
  return { value: String(Math.ceil((read.value as number) / 60)) };
}

function isPositive(text: string): boolean {
  return /^(?:\d{1,12}(?:\.\d{1,9})?|\.\d{1,9})$/.test(text) && Number(text) > 0;
}

function bad(wanted: string, text: string): ReadValue {
  return { problem: `must be ${wanted}, not ${quote(text)}` };
}

function quote(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`;
}
