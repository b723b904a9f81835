import { findSecretLook } from "../../base/secret-look.ts";
import type { YamlValue } from "./yaml/value.ts";

interface FoundSecret {
  /** Its place in the specification, such as `env.HF_TOKEN`. */
  readonly at: string;
  readonly line: number;
  /** What it looks like, in words that do not show it. */
  readonly look: string;
}

/** Values that look like secrets, by themselves or by the name that they stand under. */
export function findSecrets(root: YamlValue): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  const visit = (value: YamlValue, at: string, name: string, line: number): void => {
    if (typeof value === "string") {
      const look = findSecretLook(value) ?? findSecretLook(`${name}=${value}`);
      if (look !== null) found.push({ at, line, look });
    } else if (typeof value === "object" && value?.kind === "list")
      for (const [index, item] of value.items.entries()) visit(item.value, `${at}[${index}]`, "", item.line);
    else if (typeof value === "object" && value?.kind === "map")
      for (const { key, value: inner, line: innerLine } of value.entries.values())
        visit(inner, at === "" ? String(key) : `${at}.${String(key)}`, String(key), innerLine);
  };
  visit(root, "", "", 1);
  return found;
}
