import { posix } from "node:path";
import { parsePipPhase } from "../render/pip-arguments.ts";
import { isAddress, isRequirement } from "../render/requirement-files.ts";
import { EMPTY_SOURCE, loadText, type Source, type Taken } from "./source.ts";

/** Options of a requirement file that an install call takes, too. */
const KEPT = new Set(
  "index-url extra-index-url find-links no-index pre prefer-binary no-binary only-binary trusted-host constraint"
    .split(" ")
    .map((name) => `--${name}`),
);
/** What pip understands in a file alone. */
const FILE_ONLY = /\s--(hash|config-settings?|global-option)\b|\$\{[A-Z0-9_]+\}/;

/**
 * Reads a requirement file and those that it names. One whose lines mean something in a file alone (hashes, `${NAME}`)
 * stays a file: its one entry is `-r FILE`. null: there is none. @throws draft_unreadable
 */
export function readRequirements(folder: string, file: string): Source | null {
  const text = loadText(folder, file);
  if (text === null) return null;
  const read = readFile(folder, file, text, [file]);
  if (!read.requirements.some(({ text }) => FILE_ONLY.test(` ${text}`))) return read;
  const warning = `${file} holds hashes or variables, which pip understands in a file alone: it is installed as a file.`;
  return {
    ...EMPTY_SOURCE,
    requirements: [{ text: `-r ${file}`, from: file }],
    warnings: [...read.warnings, warning],
  };
}

/** The lines of a list of requirements that stands in another file, as in conda's `pip` part. */
export function readRequirementLines(folder: string, lines: readonly Taken[], file: string): Source {
  return joinSources(lines.map((line) => readLine(folder, line, file, [file])));
}

function readFile(folder: string, file: string, text: string, open: readonly string[]): Source {
  const lines = splitLines(text).map(({ text, line }) => ({ text, from: `${file}:${line}` }));
  return joinSources(lines.map((line) => readLine(folder, line, file, open)));
}

/** Each with the number of the line that it begins in; comments and blank lines are dropped. */
function splitLines(text: string): { text: string; line: number }[] {
  const lines: { text: string; line: number }[] = [];
  let begun: { text: string; line: number } | null = null;
  for (const [index, raw] of text.split(/\r\n?|\n/).entries()) {
    const isComment = /^\s*#/.test(raw);
    const whole: string = (begun?.text ?? "") + (isComment ? "" : raw.replace(/\s#.*$/, ""));
    const line: number = begun?.line ?? index + 1;
    begun = !isComment && whole.endsWith("\\") ? { text: whole.slice(0, -1), line } : null;
    if (begun === null && whole.trim() !== "")
      lines.push({ text: whole.trim().replaceAll(/[ \t]+/g, " "), line });
  }
  return lines;
}

function readLine(folder: string, { text, from }: Taken, file: string, open: readonly string[]): Source {
  if (/:\/\/[^/\s@]*:[^/\s@]+@/.test(text)) {
    return warn(
      `${from} holds a password and is not taken: let PIP_EXTRA_INDEX_URL of the host name that address.`,
    );
  }
  if (!text.startsWith("-")) return readRequirement(text, from);
  const [option] = parsePipPhase([text]).options;
  if (option === undefined) return EMPTY_SOURCE;
  const { name, value } = option;
  if (name === "--editable") return { ...EMPTY_SOURCE, editables: [{ text, from }] };
  if (name === "--requirement" && value !== null && !isAddress(value))
    return follow(folder, value, from, file, open);
  if (!KEPT.has(name) && !isRequirement(name)) return warn(`${from}: ${name} is not taken.`);
  const isNear = name === "--constraint" && value !== null && !isAddress(value);
  const kept = isNear ? `-c ${posix.join(posix.dirname(file), value)}` : text;
  return { ...EMPTY_SOURCE, options: [{ text: kept, from }] };
}

/** `pip freeze` in a conda environment names files of the machine that built the packages. */
function readRequirement(text: string, from: string): Source {
  const frozen = /^([A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?)\s*@\s*file:/.exec(text)?.[1];
  if (frozen === undefined) {
    const isOwn = /^\.{1,2}(\/|$)/.test(text);
    return { ...EMPTY_SOURCE, [isOwn ? "editables" : "requirements"]: [{ text, from }] };
  }
  const warning = `${from} names a file of another machine: ${frozen} is taken without a version.`;
  return { ...EMPTY_SOURCE, requirements: [{ text: frozen, from }], warnings: [warning] };
}

/** pip looks from the folder of the file that names another. */
function follow(folder: string, named: string, from: string, file: string, open: readonly string[]): Source {
  const path = posix.join(posix.dirname(file), named);
  if (open.includes(path)) return EMPTY_SOURCE;
  const text = loadText(folder, path);
  return text === null
    ? warn(`${from} names ${path}, which is not there.`)
    : readFile(folder, path, text, [...open, path]);
}

function warn(warning: string): Source {
  return { ...EMPTY_SOURCE, warnings: [warning] };
}

export function joinSources(sources: readonly Source[]): Source {
  return {
    base: sources.find(({ base }) => base !== null)?.base ?? null,
    options: sources.flatMap(({ options }) => options),
    requirements: sources.flatMap(({ requirements }) => requirements),
    editables: sources.flatMap(({ editables }) => editables),
    notes: sources.flatMap(({ notes }) => notes),
    warnings: sources.flatMap(({ warnings }) => warnings),
  };
}
