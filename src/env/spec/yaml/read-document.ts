import type { Refuse } from "../refusal.ts";
import { YAML_TAG, type YamlNode } from "./node.ts";
import { readNode } from "./read-node.ts";
import { scanTokens } from "./scan.ts";
import { makeEmptyNode, makeTokenReader, type TokenReader } from "./token-reader.ts";

/** What PyYAML's reader takes for text. */
const NOT_PRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** The one document of a text; null: there is none, not even an empty one. @throws spec_bad */
export function readDocument(text: string, refuse: Refuse): YamlNode | null {
  checkCharacters(text, refuse);
  const reader = makeTokenReader(scanTokens(text, refuse), refuse);
  if (reader.is("stream-end")) return null;
  const isMarked = reader.is("directive", "document-start");
  if (isMarked) readDirectives(reader);
  else setTagHandles(reader, new Map());
  const isEmpty = isMarked && reader.is("directive", "document-start", "document-end", "stream-end");
  const node = isEmpty ? makeEmptyNode(reader.next().line) : readNode(reader, "block");
  while (reader.takeIf("document-end"));
  if (!reader.is("stream-end"))
    throw refuse(reader.next().line, "more stands behind the end of the document; a file holds one document");
  return node;
}

function checkCharacters(text: string, refuse: Refuse): void {
  const found = NOT_PRINTABLE.exec(text);
  if (!found) return;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const line = text.slice(0, found.index).split(/\r\n|[\r\n\u0085\u2028\u2029]/).length;
  throw refuse(line, `the character U+${code} cannot stand in YAML, only its escape in double quotes`);
}

function readDirectives(reader: TokenReader): void {
  const rules = new Map<string, string>();
  let hasVersion = false;
  for (let line = reader.takeIf("directive"); line; line = reader.takeIf("directive")) {
    const [first = "", second = ""] = line.values ?? [];
    if (line.text === "YAML") {
      if (hasVersion) throw reader.refuse(line.line, "%YAML stands there twice");
      if (Number.parseInt(first, 10) !== 1)
        throw reader.refuse(line.line, `YAML ${first} is not known, 1.1 is`);
      hasVersion = true;
    }
    if (line.text === "TAG") {
      if (rules.has(first)) throw reader.refuse(line.line, `%TAG ${first} stands there twice`);
      rules.set(first, second);
    }
  }
  if (!reader.takeIf("document-start"))
    throw reader.refuse(reader.next().line, "--- is missing behind the % lines");
  setTagHandles(reader, rules);
}

function setTagHandles(reader: TokenReader, rules: ReadonlyMap<string, string>): void {
  for (const [handle, start] of new Map([["!", "!"], ["!!", YAML_TAG], ...rules]))
    reader.tagHandles.set(handle, start);
}
