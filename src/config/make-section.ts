import { SortieError } from "../base/error.ts";
import type { TargetKind } from "./keys/define.ts";
import { findKeyRow, isKeyOfKind, type KeyName, keyNames } from "./keys/table.ts";
import { isSettingsHeading } from "./target-sections.ts";
import { readValue } from "./value-readers.ts";
import { parseValueText } from "./value-text.ts";

/** What `sortie init` has learnt, by key; texts are written as they are, lists as several values. */
export interface SectionAnswers {
  readonly heading: string;
  readonly kind: TargetKind;
  /** A note on the GPUs, in people's words. */
  readonly gpuNote?: string;
  readonly values: Readonly<Partial<Record<KeyName, string | number | boolean | readonly string[]>>>;
}

/**
 * A section that reads back as the same target. Values stand in backticks where Markdown or a `#` could change them.
 * Throws `value_bad` for a wrong value, a key that does not fit the kind, and what no section can hold (line breaks).
 */
export function makeSection(answers: SectionAnswers): string {
  const lines = [
    `## ${checkHeading(answers.heading)}`,
    `- gpu: ${answers.kind === "ssh" ? "remote" : answers.kind}`,
  ];
  if (answers.gpuNote !== undefined) lines.push(`- GPU: ${formatText(checkText("gpu", answers.gpuNote))}`);
  for (const name of keyNames) {
    const value = answers.values[name];
    if (value === undefined || name === "gpu") continue;
    const isSecret = findKeyRow(name).secret === true;
    if (isSecret || !isKeyOfKind(name, answers.kind)) {
      const reason = isSecret ? "it is a secret" : `it means nothing to a target of kind ${answers.kind}`;
      throw new SortieError("value_bad", {
        what: "A section's key",
        value: name,
        reason,
        advice: findKeyRow(name).about,
      });
    }
    lines.push(`- ${formatLabel(name)}: ${checkValue(name, formatValue(name, value))}`);
  }
  return `${lines.join("\n")}\n`;
}

function checkValue(name: KeyName, formatted: string): string {
  const read = readValue(findKeyRow(name), parseValueText(formatted));
  if ("value" in read) return formatted;
  const advice = read.nearest ? `Did you mean ${read.nearest}?` : findKeyRow(name).about;
  throw new SortieError("value_bad", { what: name, value: formatted, reason: `it ${read.problem}`, advice });
}

/** The keys of the first example that people see are written as they are there. */
function formatLabel(name: KeyName): string {
  const labels: Partial<Record<KeyName, string>> = {
    ssh: "SSH",
    conda: "Conda",
    conda_env: "Conda env",
    code_dir: "Code dir",
  };
  return labels[name] ?? name;
}

function formatValue(name: KeyName, value: string | number | boolean | readonly string[]): string {
  if (typeof value === "string") return formatText(checkText(name, value));
  if (typeof value !== "object") return String(value);
  // Always in backticks: a lone plain word with a comma in it would read back as two.
  return value.map((word) => formatSpan(checkText(name, word))).join(", ");
}

function formatText(text: string): string {
  return /^[\p{L}\p{N}./][\p{L}\p{N}./:@ +=-]*$/u.test(text) && text.trim() === text
    ? text
    : formatSpan(text);
}

/** A code span whose fence is longer than any run of backticks in it. */
function formatSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  const isPadded = /^`|`$/.test(text) || (/^ .* $/.test(text) && text.trim() !== "");
  return isPadded ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

function checkText(what: string, text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these cannot stand in a line of a file
  if (text.trim() !== "" && text.length <= 4000 && !/[\u0000-\u001f\u007f\u2028\u2029]/.test(text))
    return text;
  const reason =
    text.trim() === "" ? "it is empty" : "it is too long, or has line breaks or control characters in it";
  throw new SortieError("value_bad", {
    what,
    value: JSON.stringify(text.slice(0, 60)),
    reason,
    advice: "Give it in one line.",
  });
}

function checkHeading(heading: string): string {
  if (
    /^[\p{L}\p{N}][\p{L}\p{N} .()-]*$/u.test(heading) &&
    heading.trim() === heading &&
    !isSettingsHeading(heading)
  )
    return heading;
  const advice = "Use letters, digits, spaces, dots and hyphens.";
  throw new SortieError("value_bad", {
    what: "A heading",
    value: heading,
    reason: "it would not read back",
    advice,
  });
}
