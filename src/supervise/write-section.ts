import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../base/error.ts";
import { insertSection } from "../config/insert-section.ts";
import { makeSection, type SectionAnswers } from "../config/make-section.ts";
import { readConfigFile } from "../config/read-file.ts";
import { writeFileAtomic } from "../disk/atomic-file.ts";

/** A section that is about to be written, with the whole new text of its file. */
export interface SectionDraft {
  readonly file: string;
  readonly isNew: boolean;
  readonly section: string;
  readonly text: string;
}

/** Drafts a section for the folder's AGENTS.md (else its CLAUDE.md, else a new AGENTS.md). Writes nothing. */
export function draftSection(cwd: string, answers: SectionAnswers): SectionDraft {
  const file = ["AGENTS.md", "CLAUDE.md"].map((name) => join(cwd, name)).find((path) => existsSync(path));
  const section = makeSection(answers);
  if (!file) return { file: join(cwd, "AGENTS.md"), isNew: true, section, text: section };
  return { file, isNew: false, section, text: insertSection(readText(file), section, file) };
}

/** The file keeps its mode. @throws home_unwritable */
export function writeSection({ file, isNew, text }: SectionDraft): void {
  writeFileAtomic(file, text, { mode: isNew ? 0o644 : statSync(file).mode & 0o777 });
}

/** Bytes that are not UTF-8 would be damaged by writing the text back: such a file is refused. */
function readText(path: string): string {
  const reading = readConfigFile(path);
  if (reading.state === "text") return reading.text;
  const reason = reading.state === "absent" ? "it is gone" : reading.reason;
  throw new SortieError("file_unreadable", {
    path,
    reason,
    advice: "Correct that, or run this in another folder.",
  });
}
