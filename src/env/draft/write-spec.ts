import type { Phase } from "./arrange-phases.ts";
import type { ImportName } from "./import-names.ts";
import type { Taken } from "./source.ts";

export interface DraftParts {
  readonly files: readonly string[];
  readonly base: Taken | null;
  readonly phases: readonly Phase[];
  readonly notes: readonly Taken[];
  readonly imports: readonly ImportName[];
}

/** The YAML text of a drafted spec. */
export function writeSpec({ files, base, phases, notes, imports }: DraftParts): string {
  const origin = files.length === 0 ? "" : `, drafted from ${files.join(", ")}`;
  return [
    `# What this project's environment is${origin}. Read it, correct it, then: sortie env build`,
    base === null ? "# base: python:3.11" : `base: ${makeEntry(base)}`,
    ...(phases.length === 0 ? ["pip_phases: []"] : ["pip_phases:", ...phases.flatMap(writePhase)]),
    ...(notes.length === 0
      ? []
      : ["# Packages of conda; what is needed of them belongs in pip_phases by its name there:"]),
    ...notes.map(({ text, from }) => `#   ${makeComment(text)}  (${from})`),
    ...(imports.length === 0 ? [] : ["smoke:", "  import_names:"]),
    ...imports.map(({ module, name }) => `    - ${quoteYaml(module)}${module === name ? "" : `  # ${name}`}`),
    "",
  ].join("\n");
}

/** A block list in a block list: `- - first`. */
function writePhase({ why, entries }: Phase): string[] {
  const lines = entries.map((entry, index) => `  ${index === 0 ? "-" : " "} - ${makeEntry(entry)}`);
  return why === null ? lines : [`  # ${why}`, ...lines];
}

function makeEntry({ text, from }: Taken): string {
  return `${quoteYaml(text)}  # ${makeComment(from)}`;
}

/** Words that YAML 1.1 takes for something else than text. */
const NOT_TEXT = /^(y|n|yes|no|on|off|true|false|null)$/i;

/** Plain where no reader of YAML can take it for anything but this text. */
function quoteYaml(text: string): string {
  if (/^[A-Za-z][\w.=<>~!+/-]*(:[\w./][\w.=/-]*)?$/.test(text) && !NOT_TEXT.test(text)) return text;
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function makeComment(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may end the comment
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]+/g, " ");
}
