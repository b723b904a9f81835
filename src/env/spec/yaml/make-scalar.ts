import { quoteInput } from "../../../base/quote-input.ts";
import type { Refuse } from "../refusal.ts";
import { isPythonBase64, isPythonDate } from "./check-foreign.ts";
import { type ScalarNode, YAML_TAG } from "./node.ts";
import { parsePythonFloat, parsePythonInt } from "./python-numbers.ts";
import type { YamlKey } from "./value.ts";

const BOOLS: Readonly<Record<string, boolean>> = {
  yes: true,
  no: false,
  true: true,
  false: false,
  on: true,
  off: false,
};

/** The value of a scalar by its tag. @throws spec_bad where Python raises an error */
export function makeScalar(node: ScalarNode, refuse: Refuse): YamlKey {
  const { tag, text, line } = node;
  const name = tag.startsWith(YAML_TAG) ? tag.slice(YAML_TAG.length) : null;
  if (name === "str") return text;
  if (name === "null") return null;
  if (name === "bool") {
    const word = text.toLowerCase();
    if (!Object.hasOwn(BOOLS, word)) throw refuse(line, `${quoteInput(text)} is neither true nor false`);
    return BOOLS[word] as boolean;
  }
  if (name === "int" || name === "float") {
    const value = name === "int" ? parsePythonInt(text) : parsePythonFloat(text);
    if (value === null)
      throw refuse(line, `${quoteInput(text)} is no ${name === "int" ? "whole number" : "number"}`);
    return value;
  }
  if (name === "timestamp" || name === "binary") {
    const isDate = name === "timestamp";
    const isValid = isDate ? isPythonDate(text) : isPythonBase64(text);
    const advice = isDate ? "Put it in quotes, so that it is a text." : undefined;
    if (!isValid) throw refuse(line, `${quoteInput(text)} is no ${isDate ? "date" : "base64"}`, advice);
    return { kind: "foreign", line, what: isDate ? "a date" : "binary data", text };
  }
  if (name === "merge" || name === "value")
    throw refuse(line, `a bare ${text} is no value`, `Put it in quotes: "${text}".`);
  throw refuse(line, `the tag ${tag} is not known for this value`);
}
