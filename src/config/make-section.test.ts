import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { insertSection } from "./insert-section.ts";
import { type KeyRow, type TargetKind, targetKinds, type ValueType } from "./keys/define.ts";
import { findKeyRow, isKeyOfKind, type KeyName, keyNames } from "./keys/table.ts";
import { makeSection, type SectionAnswers } from "./make-section.ts";
import { parseProject } from "./parse-project.ts";

const EXAMPLE: SectionAnswers = {
  heading: "Remote Server",
  kind: "ssh",
  gpuNote: "4x A100 (80GB each)",
  values: {
    ssh: "my-gpu-server",
    conda: 'eval "$(/opt/conda/bin/conda shell.bash hook)" && conda activate research',
    code_dir: "/home/user/experiments/",
    results: ["out/", "logs, too/"],
    wandb: false,
  },
};

test("a section is written as people write it", () => {
  expect(makeSection(EXAMPLE)).toBe(
    [
      "## Remote Server",
      "- gpu: remote",
      "- GPU: `4x A100 (80GB each)`",
      "- SSH: my-gpu-server",
      "- Code dir: /home/user/experiments/",
      '- Conda: `eval "$(/opt/conda/bin/conda shell.bash hook)" && conda activate research`',
      "- results: `out/`, `logs, too/`",
      "- wandb: false",
      "",
    ].join("\n"),
  );
});

describe("a section reads back equal", () => {
  for (const kind of targetKinds) {
    test(kind, () => {
      fc.assert(
        fc.property(makeAnswers(kind), (answers) => {
          const read = parseProject(`# Project\n\n${makeSection(answers)}`, "/p/AGENTS.md", "AGENTS.md");
          expect([...read.warnings, ...read.errors]).toEqual([]);
          expect(read.targets).toHaveLength(1);
          const target = read.targets[0];
          expect(target).toMatchObject({ kind, heading: answers.heading, notes: [] });
          expect(target?.gpuNote).toEqual(answers.gpuNote);
          const values = [...(target?.source.values ?? [])].filter(([key]) => key !== "gpu");
          for (const [key, { value, text }] of values) {
            // What is not of a type of its own is the text, byte for byte.
            const isRead = ["ssh", "venv", "slurm_time"].includes(findKeyRow(key).type);
            expect(isRead ? text : value).toEqual(answers.values[key]);
          }
          expect(values.map(([key]) => key).sort()).toEqual(Object.keys(answers.values).sort());
        }),
        { numRuns: 300 },
      );
    });
  }
});

test.each([
  [{ code_dir: "a\nb" }, "one line"],
  [{ code_dir: " " }, "empty"],
  [{ wandb: "ture" }, "Did you mean true?"],
  [{ modal_app: "a.py" }, "means nothing"],
  [{ wandb_api_key: "k" }, "secret"],
] as [SectionAnswers["values"], string][])("%j is refused", (values, text) => {
  const make = () => makeSection({ heading: "Remote Server", kind: "ssh", values });
  expect(make).toThrow(expect.objectContaining({ code: "value_bad" }));
  const error = catchFault(make);
  expect(`${error.message} ${error.hint}`).toContain(text);
});

test.each(["Sortie", "a\nb", "", "x # y", " a"])("the heading %j is refused", (heading) => {
  expect(() => makeSection({ heading, kind: "local", values: {} })).toThrow(
    expect.objectContaining({ code: "value_bad" }),
  );
});

describe("a section is added to a file", () => {
  const section = makeSection(EXAMPLE);
  test.each([
    "",
    "# Title\n",
    "# Title",
    "# Title\r\n\r\ntext\r\n",
    "## Modal\n- modal_app: a.py\n",
    "\uFEFF# T\n\n",
  ])("%j, which stays as it is", (text) => {
    const result = insertSection(text, section, "AGENTS.md");
    expect(result.startsWith(text)).toBe(true);
    const { targets } = parseProject(result, "/p/AGENTS.md", "AGENTS.md");
    expect(targets.at(-1)).toMatchObject({ name: "remote-server", ssh: { destination: "my-gpu-server" } });
    if (text.includes("\r\n")) expect(result.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test.each(["Remote Server", "**remote server**"])("a name that %j has already is refused", (heading) => {
    const text = `# P\n\n## ${heading}\n- SSH: b\n`;
    expect(() => insertSection(text, section, "/p/AGENTS.md")).toThrow(
      expect.objectContaining({
        code: "value_bad",
        message: expect.stringContaining("AGENTS.md has the target remote-server in lines 3 to 4"),
        hint: expect.stringContaining("--heading"),
      }),
    );
  });

  test.each(["```\ncode\n", "<!-- note\n"])("%j is refused: the section would be hidden", (text) => {
    expect(() => insertSection(text, section, "AGENTS.md")).toThrow(
      expect.objectContaining({ code: "section_unplaceable" }),
    );
  });
});

/** Answers with any text in any key of the kind, as far as the key's type lets it. */
function makeAnswers(kind: TargetKind): fc.Arbitrary<SectionAnswers> {
  const names = keyNames.filter(
    (name) => isKeyOfKind(name, kind) && !findKeyRow(name).secret && !COMBINED.includes(name),
  );
  const values = Object.fromEntries(names.map((name) => [name, makeValue(findKeyRow(name))]));
  return fc.record({
    heading: fc.constantFrom("Remote Server", "My box 2", "Büro-Rechner (alt)"),
    kind: fc.constant(kind),
    gpuNote: fc.option(
      plainText.map((text) => `about ${text.trim()}`),
      { nil: undefined },
    ),
    values: fc.record(values, { requiredKeys: [] }),
  }) as fc.Arbitrary<SectionAnswers>;
}

/** Keys that speak of the same thing would contradict each other. */
const COMBINED: KeyName[] = [
  "gpu",
  "ssh_host",
  "ssh_port",
  "ssh_user",
  "conda_env",
  "conda_hook",
  "activate",
  "conda",
];

const plainText = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
  .filter((text) => text.trim() !== "" && !/[\p{Cc}\u2028\u2029]/u.test(text));
const awkward = fc.constantFrom(
  "`",
  "``",
  " `a` ",
  "a # b",
  "# x",
  "<!-- x -->",
  "**b**",
  "a: b",
  "[x](y)",
  "\\_",
  "'q'",
  " pad ",
  "- x",
);
const text = fc.oneof(plainText, awkward);

function makeValue({ type, choices = [""] }: KeyRow): fc.Arbitrary<unknown> {
  const arbitraries: Partial<Record<ValueType, fc.Arbitrary<unknown>>> = {
    boolean: fc.boolean(),
    integer: fc.integer({ min: 1, max: 1_000_000 }),
    number: fc.integer({ min: 1, max: 1000 }),
    usd: fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100),
    duration: fc.integer({ min: 1, max: 1_000_000 }),
    list: fc.array(text, { minLength: 1, maxLength: 4 }),
    choice: fc.constantFrom(...choices),
    slurm_time: fc.constantFrom("1-12:00:00", "2h", "60"),
    memory: fc.constantFrom("32G", "500M"),
    ssh: fc.constantFrom("box", "ssh -p 22 ann@box", "ssh -i '~/a b' -J j box"),
  };
  return arbitraries[type] ?? text;
}

function catchFault(call: () => unknown): { message: string; hint: string } {
  try {
    call();
  } catch (fault) {
    return fault as { message: string; hint: string };
  }
  throw new Error("nothing was thrown");
}
