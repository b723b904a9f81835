import { makePrintable } from "../../base/printable.ts";

/** What a script seems to need: to be shown as a guess, with its evidence, and never used unless a person takes it over. */
export interface NeedHint {
  readonly need: "gpuMemoryMiB" | "gpuCount";
  readonly value: number;
  /** The line of the script, counted from 1. */
  readonly line: number;
  /** What stands there. */
  readonly evidence: string;
  /** For people: why. */
  readonly why: string;
}

const MOST_LINES = 20_000;
const MOST_LINE = 2_000;
const MIB_PER_GB = 1_000 ** 3 / 1_024 ** 2;

/** Bytes that one parameter takes with the way that the script works; the first that fits holds. */
const WAYS: readonly { readonly pattern: RegExp; readonly bytes: number; readonly words: string }[] = [
  { pattern: /load_in_4bit|bnb_4bit|qlora/i, bytes: 1, words: "loaded in 4 bits" },
  { pattern: /load_in_8bit/i, bytes: 1.5, words: "loaded in 8 bits" },
  { pattern: /\bpeft\b|LoraConfig|get_peft_model/, bytes: 3, words: "trained by adapters" },
  {
    pattern: /\.backward\(|\bTrainer\(|SFTTrainer|optim\.\w+\(|AdamW/,
    bytes: 16,
    words: "trained whole: weights, gradients and two moments of Adam",
  },
];
/** What is smaller fits everywhere, and may be something else. */
const LEAST_PARAMETERS = 100e6;
const ONLY_USED = { bytes: 2.4, words: "only used, at 16 bits" };

const COUNTS: readonly RegExp[] = [
  /--?nproc[-_]per[-_]node[= ]["']?(\d{1,2})\b/,
  /tensor_parallel_size["']?\s*[=:,]\s*(\d{1,2})\b/,
  /--num[-_]processes[= ](\d{1,2})\b/,
  /\bdevices\s*=\s*(\d{1,2})\b/,
];

/** The highest GPU memory and number of GPUs that its text hints at; empty where it says nothing of either. */
export function guessNeeds(script: string): NeedHint[] {
  const lines = script
    .split("\n", MOST_LINES)
    .map((line) => line.slice(0, MOST_LINE).replace(/(^|\s)#(?!!).*$/, ""));
  const hints = [findHighest(lines, findModelHint(lines)), findHighest(lines, findCountHint)];
  return hints.filter((hint) => hint !== null);
}

type LineHint = Omit<NeedHint, "line" | "evidence">;

function findHighest(lines: readonly string[], find: (line: string) => LineHint | null): NeedHint | null {
  let best: NeedHint | null = null;
  for (const [index, line] of lines.entries()) {
    const hint = find(line);
    if (hint === null || hint.value <= (best?.value ?? 0)) continue;
    const evidence = makePrintable(line.trim()).slice(0, 100);
    best = { ...hint, line: index + 1, evidence };
  }
  return best;
}

/** Models say their size in their names: `Llama-3-8B`, `opt-350m`. */
function findModelHint(lines: readonly string[]): (line: string) => LineHint | null {
  const way = WAYS.find(({ pattern }) => lines.some((line) => pattern.test(line))) ?? ONLY_USED;
  return (line) => {
    const most = Math.max(...line.split(/[\s"'`=,:()[\]]+/).map(readParameters));
    if (most < LEAST_PARAMETERS) return null;
    const gigabytes = Math.max(1, Math.ceil((most * way.bytes) / 1e9));
    const why = `a model of ${formatParameters(most)} parameters, ${way.words}: about ${gigabytes} GB in all`;
    return { need: "gpuMemoryMiB", value: Math.floor(gigabytes * MIB_PER_GB), why };
  };
}

/** 0: the word is no such name. */
function readParameters(word: string): number {
  const [, amount, unit] = /[a-z.0-9]-(\d{1,3}(?:\.\d{1,2})?)([bm])(?![a-z0-9])/i.exec(word) ?? [];
  return amount === undefined ? 0 : Number(amount) * (unit?.toLowerCase() === "b" ? 1e9 : 1e6);
}

function findCountHint(line: string): LineHint | null {
  const counts = COUNTS.map((pattern) => Number(pattern.exec(line)?.[1] ?? 0));
  const value = Math.max(...counts);
  return value === 0 ? null : { need: "gpuCount", value, why: `it is started on ${value} GPUs` };
}

function formatParameters(parameters: number): string {
  return parameters >= 1e9 ? `${parameters / 1e9} billion` : `${parameters / 1e6} million`;
}
