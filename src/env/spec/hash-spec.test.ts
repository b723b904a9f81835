import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeSpecText } from "../../../test/support/made-specs.ts";
import { ODD_YAML } from "../../../test/support/odd-yaml.ts";
import { askPyYaml, findPyYamlLack } from "../../../test/support/pyyaml.ts";
import { SortieError } from "../../base/error.ts";
import { hashSpecText } from "./hash-spec.ts";
import { decodeYaml } from "./read-spec-text.ts";

const file = "env-spec.yaml";
const MADE = Array.from({ length: 100 }, (_, seed) => makeSpecText(seed));

const utf16 = (text: string, isBigEndian: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return isBigEndian ? bytes.swap16() : bytes;
};
const BYTES: readonly Uint8Array[] = [
  utf16("a: é😀", false),
  utf16("a: é😀", true),
  Buffer.from("a: \xe9", "latin1"),
  Buffer.from([0x61, 0x3a, 0x20, 0xed, 0xa0, 0x80]),
  Buffer.from([0xff, 0xfe, 0x61]),
];
const CORPUS = [...[...MADE, ...ODD_YAML].map((text) => Buffer.from(text)), ...BYTES];

/** As Python answers: the canonical JSON, or that it refuses. */
const answer = (bytes: Uint8Array) => {
  try {
    return hashSpecText(decodeYaml(bytes, file), { file }).canonical;
  } catch (fault) {
    if (fault instanceof SortieError && fault.exit === 2) return "refused";
    throw fault;
  }
};
const refuse = (text: string) => {
  try {
    return hashSpecText(text, { file }).canonical;
  } catch (fault) {
    return fault;
  }
};

it.skipIf(findPyYamlLack())(
  "reads more than 200 files as the real PyYAML does, and refuses those that it refuses",
  () => {
    expect(CORPUS.length).toBeGreaterThan(200);
    const answers = askPyYaml(CORPUS);
    const differing = CORPUS.flatMap((bytes, index) => {
      const mine = answer(bytes);
      const python = answers[index]?.canonical ?? "refused";
      return mine === python
        ? []
        : [{ text: Buffer.from(bytes).toString(), mine, python, why: answers[index]?.error }];
    });
    expect(differing).toEqual([]);
    expect(answers.filter(({ canonical }) => canonical !== undefined).length).toBeGreaterThan(150);
  },
);

it("is the first 8 digits of the sha256 of the canonical JSON", () => {
  const { hash, canonical, warnings } = hashSpecText("b: [yes, 1.0]\na: é\n", { file });
  expect(canonical).toBe('{"a":"\\u00e9","b":[true,1.0]}');
  expect(hash).toBe(createHash("sha256").update(canonical).digest("hex").slice(0, 8));
  expect(warnings).toEqual([]);
});

it("is the same whatever the comments, the layout and the order of keys are", () => {
  const { hash } = hashSpecText("base: uv\npip_phases: [[numpy]]\n", { file });
  const other = "# why\npip_phases:\n  - - numpy   # pinned later\nbase: 'uv'\n";
  expect(hashSpecText(other, { file }).hash).toBe(hash);
  expect(hashSpecText('{"base": "uv", "pip_phases": [["numpy"]]}', { file }).hash).toBe(hash);
  expect(hashSpecText("base: uv\npip_phases: [[numpy<2]]\n", { file }).hash).not.toBe(hash);
});

it("warns of a key that stands there twice, and takes the last one", () => {
  const { canonical, warnings } = hashSpecText("a: 1\nb: 2\na: 3\n", { file });
  expect(canonical).toBe('{"a":3,"b":2}');
  expect(warnings).toEqual(['env-spec.yaml, line 3: the key "a" stands there twice; the last one counts.']);
  expect(hashSpecText("x: &x {a: 1}\ny: {<<: *x, a: 2}\n", { file }).warnings).toEqual([]);
});

it("warns where versions of PyYAML differ: a key that two mappings under << have", () => {
  const [warning, ...more] = hashSpecText("x: &x {key: 1}\ny: &y {key: 2}\nz: {<<: [*x, *y]}\n", {
    file,
  }).warnings;
  expect(warning).toMatch(/line 2: the key "key" comes twice by <<, also from line 1/);
  expect(more).toEqual([]);
});

describe("a refusal names file, line and reason", () => {
  it.each([
    ["a: 1\nb: 2020-01-01", 2, "a date is no value of JSON"],
    ["a:\n  b: !!binary YQ==", 2, "binary data"],
    ["a: 1\n\n2: b", 3, "this key is a number, the one on line 1 a text"],
    ["a: b\n? [c]\n: d", 2, "cannot be a key"],
    ["a: =", 1, "a bare = is no value"],
    ["a: !thing 1", 1, "the tag !thing is not known"],
    ["a: b\nc:\td", 2, "a tab cannot stand here: use spaces"],
    ["a: &x\n  b: *x", 1, "it holds itself by an alias"],
    ["a: 'b\n\n", 1, "the closing quote is missing"],
    ["a: [b,\nc", 2, "a comma or the bracket that closes line 1 is missing"],
    ["a: b\n---\nc: d", 2, "a file holds one document"],
    ["a\u2028b: \u0007", 2, "U+0007 cannot stand in YAML"],
    ["a: 1\n  b: 2", 2, "a `:` cannot stand here"],
    [`a: ${"[".repeat(500)}`, 1, "nested more than 490 deep"],
    ["{.nan: 1, 2: 3}", 1, "not a number (.nan) cannot be sorted among other keys"],
  ])("%j", (text, line, reason) => {
    const fault = refuse(text);
    expect(fault).toMatchObject({ code: "spec_bad", exit: 2, details: { file, line } });
    expect(String(fault)).toContain(`env-spec.yaml, line ${line}: `);
    expect(String(fault)).toContain(reason);
  });
});

it("refuses what its aliases nest or merge deeper than Python takes it", () => {
  const levels = Array.from({ length: 20_000 }, (_, level) => level + 1);
  const deep = levels.map((level) => `a: &a${level} [*a${level - 1}]`);
  const merged = levels.map((level) => `k${level}: &a${level} {<<: *a${level - 1}}`);
  for (const [text, reason] of [
    [["a: &a0 [x]", ...deep].join("\n"), "nested more than 1000 deep"],
    [["k: &a0 {x: y}", ...merged, "<<: *a20000"].join("\n"), "merged into each other"],
  ] as const) {
    expect(refuse(text)).toMatchObject({ code: "spec_bad" });
    expect(String(refuse(text))).toContain(reason);
  }
});

it("ends soon on a text that its aliases make huge, or that opens brackets without end", () => {
  const bomb = Array.from({ length: 12 }, (_, level) =>
    level === 0
      ? "a0: &a0 [x]"
      : `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(", ")}]`,
  );
  expect(String(refuse(bomb.join("\n")))).toContain("with all its aliases");
  expect(refuse("[".repeat(200_000))).toMatchObject({ code: "spec_bad" });
});
