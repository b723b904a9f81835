import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { ConfigIssue } from "./issue.ts";
import { findKey, findKeyRow, findNearestKey, type KeyName } from "./keys/table.ts";
import type { ConfigSecret } from "./section-values.ts";
import type { KeyValue } from "./target.ts";
import { readValue } from "./value-readers.ts";
import { makeValueText, type ValueText } from "./value-text.ts";

/** What `config.yaml` in Sortie's home folder sets. */
export interface HomeConfig {
  readonly values: ReadonlyMap<KeyName, KeyValue>;
  readonly secrets: readonly ConfigSecret[];
  readonly warnings: readonly ConfigIssue[];
  readonly errors: readonly ConfigIssue[];
}

/** Reads the text of config.yaml: a mapping of settings, in any spelling that a section may use. */
export function parseHomeConfig(text: string, file: string): HomeConfig {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: false });
  const draft: Draft = { values: new Map(), secrets: [], warnings: [], errors: [] };
  const report = (
    line: number | null,
    key: string | null,
    message: string,
    nearest?: string,
  ): ConfigIssue => ({
    file,
    line,
    target: null,
    key,
    message,
    nearest: nearest ?? null,
  });
  const [fault] = document.errors;
  if (fault) {
    const [reason] = fault.message.split(/ at line \d|\n/, 1);
    draft.errors.push(report(fault.linePos?.[0].line ?? null, "config.yaml", `it is not YAML: ${reason}`));
  } else if (isMap(document.contents)) {
    for (const { key, value } of document.contents.items) {
      const line = counter.linePos((key as Node).range?.[0] ?? 0).line;
      const label = isScalar(key) ? String(key.value) : "a key";
      readSetting({ label, line, file, value }, draft, (message, nearest) =>
        report(line, label, message, nearest),
      );
    }
  } else if (document.contents !== null) {
    draft.errors.push(report(1, "config.yaml", "it must hold lines `key: value`"));
  }
  return draft;
}

interface Draft extends HomeConfig {
  readonly values: Map<KeyName, KeyValue>;
  readonly secrets: ConfigSecret[];
  readonly warnings: ConfigIssue[];
  readonly errors: ConfigIssue[];
}

function readSetting(
  setting: { label: string; line: number; file: string; value: unknown },
  draft: Draft,
  report: (message: string, nearest?: string) => ConfigIssue,
): void {
  const { label, line, file } = setting;
  const name = findKey(label);
  const row = name === undefined ? undefined : findKeyRow(name);
  const written = readText(setting.value);
  if (name === undefined || row === undefined) {
    const nearest = findNearestKey(label, (key) => findKeyRow(key).setting === true);
    draft.warnings.push(report(`${label} is not a setting that Sortie knows`, nearest));
  } else if (!row.setting) {
    draft.warnings.push(report(`${label} belongs in a target's section and is left out here`));
  } else if (written === null) {
    const faults = row.personal ? draft.warnings : draft.errors;
    faults.push(report(`${label} must be one value or a list of values`));
  } else if (row.secret) {
    draft.secrets.push({ name, file, line, reveal: () => written.text });
  } else if (written.text !== "") {
    const read = readValue(row, written);
    if ("value" in read) draft.values.set(name, { value: read.value, line, label, text: written.text });
    // What concerns no run stops none.
    else
      (row.personal ? draft.warnings : draft.errors).push(report(`${label} ${read.problem}`, read.nearest));
  }
}

/** A scalar as it is written (`007` stays so), a list as words; null for a mapping and the like. */
function readText(value: unknown): ValueText | null {
  if (value === null) return makeValueText("");
  if (isScalar(value)) {
    const written = makeValueText(value.value === null ? "" : (value.source ?? String(value.value)));
    // Quotes round a value make it one entry of a list, as they do in a section.
    return value.type?.startsWith("QUOTE") && written.text !== ""
      ? { ...written, words: [written.text] }
      : written;
  }
  if (!isSeq(value) || !value.items.every(isScalar)) return null;
  const words = value.items.map((item) => (isScalar(item) ? String(item.value) : ""));
  return { text: words.join(", "), words, note: null, listNote: null };
}
