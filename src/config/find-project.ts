import { dirname, join, relative, resolve } from "node:path";
import type { RecordingReader } from "./footprint.ts";
import type { ConfigIssue } from "./issue.ts";
import type { ProjectText } from "./parse-project.ts";

/** The file that says where work runs, or that there is none. */
export interface FoundProject {
  /** Absolute path; null where no file upward has a target section or settings. */
  readonly file: string | null;
  readonly text: ProjectText | null;
  /** A file that should have been read and could not be: what lies further up must not be taken in its place. */
  readonly unreadable: { readonly path: string; readonly reason: string } | null;
  readonly warnings: readonly ConfigIssue[];
  readonly errors: readonly ConfigIssue[];
}

export interface SearchPlace {
  readonly cwd: string;
  readonly home: string;
  readonly reader: RecordingReader;
  /** Reads a file's text. It is loaded only when a file may hold a target, as the Markdown parser is not small. */
  readonly loadParser: () => Promise<(text: string, file: string, shown: string) => ProjectText>;
}

const NAMES = ["AGENTS.md", "CLAUDE.md"];

/**
 * The nearest file upward that has a target section (AGENTS.md before CLAUDE.md in each folder; one that is only
 * `@PATH` is followed). Where there is none, the nearest with a section `## Sortie`.
 */
export async function findProject(place: SearchPlace): Promise<FoundProject> {
  const search: Search = { ...place, warnings: [], errors: [], unreadable: null, settingsOnly: null };
  for (const folder of listFoldersUpward(place.cwd)) {
    for (const name of NAMES) {
      const found = await readCandidate(join(folder, name), [], search);
      if (search.unreadable) return { file: null, text: null, ...pickIssues(search) };
      if (found) return { ...found, ...pickIssues(search) };
    }
  }
  return { ...(search.settingsOnly ?? { file: null, text: null }), ...pickIssues(search) };
}

interface Found {
  readonly file: string;
  readonly text: ProjectText;
}

interface Search extends SearchPlace {
  readonly warnings: ConfigIssue[];
  readonly errors: ConfigIssue[];
  unreadable: FoundProject["unreadable"];
  settingsOnly: Found | null;
}

function pickIssues({ unreadable, warnings, errors }: Search) {
  return { unreadable, warnings, errors };
}

function listFoldersUpward(cwd: string): string[] {
  const folders = [resolve(cwd)];
  for (;;) {
    const last = folders.at(-1) as string;
    if (dirname(last) === last) return folders;
    folders.push(dirname(last));
  }
}

/** The file's targets, or those of the files that it points to. `via` are the files that led here. */
async function readCandidate(path: string, via: readonly string[], search: Search): Promise<Found | null> {
  const reading = search.reader.read(path);
  if (reading.state === "absent") {
    if (via.length > 0) warn(search, via.at(-1) as string, `it points to ${path}, which is not there`);
    return null;
  }
  if (reading.state === "not_a_file") {
    warn(search, path, `not read: ${reading.reason}`);
    return null;
  }
  if (reading.state === "unreadable") {
    search.unreadable = { path, reason: reading.reason };
    search.errors.push(makeFileIssue(search, path, `cannot be read: ${reading.reason}`));
    return null;
  }
  const imports = parseImports(reading.text);
  if (imports) return followImports(path, imports, via, search);
  if (!mayHoldTarget(reading.text)) return null;
  const parse = await search.loadParser();
  const found = { file: path, text: parse(reading.text, path, showPath(path, search)) };
  if (found.text.targets.length > 0) return found;
  search.warnings.push(...found.text.warnings.filter((issue) => issue.key === null));
  if (found.text.hasSettings) search.settingsOnly ??= found;
  return null;
}

async function followImports(
  path: string,
  imports: readonly string[],
  via: readonly string[],
  search: Search,
): Promise<Found | null> {
  const chain = [...via, path];
  for (const written of imports) {
    const next = written.startsWith("~/")
      ? join(search.home, written.slice(2))
      : resolve(dirname(path), written);
    if (chain.includes(next)) {
      search.errors.push(
        makeFileIssue(
          search,
          path,
          `points to itself: ${[...chain, next].map((one) => showPath(one, search)).join(" → ")}`,
        ),
      );
      continue;
    }
    const found = await readCandidate(next, chain, search);
    if (found || search.unreadable) return found;
  }
  return null;
}

/** The paths of a text that is nothing but lines `@PATH`; null for any other text. */
function parseImports(text: string): string[] | null {
  if (!/^\s*(?:@|<!--)/.test(text)) return null;
  const lines = text
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const paths = lines.map((line) => /^@(\S(?:.*\S)?)$/.exec(line)?.[1]);
  return paths.length > 0 && paths.length <= 10 && paths.every((path) => path !== undefined) ? paths : null;
}

/** A cheap look before the parser: no target section lacks all of these words. */
function mayHoldTarget(text: string): boolean {
  return /gpu|ssh|vast|modal|slurm|sortie|remote|local/i.test(text);
}

function warn(search: Search, path: string, message: string): void {
  search.warnings.push(makeFileIssue(search, path, message));
}

function makeFileIssue(search: Search, path: string, message: string): ConfigIssue {
  return { file: showPath(path, search), line: null, target: null, key: null, message, nearest: null };
}

function showPath(path: string, search: Search): string {
  return relative(search.cwd, path);
}
