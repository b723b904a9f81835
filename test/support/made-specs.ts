import { makeRandom } from "./random.ts";

const BASES = ["python:3.11", "'3.10'", '"conda:3.11"', "uv", "nvidia/cuda:12.4.1-devel-ubuntu22.04", "~"];
const PACKAGES = [
  "torch==2.3.1",
  "numpy>=1.26,<2",
  "jax[cuda12]",
  "flash-attn",
  "-r requirements.txt",
  '"pkg @ file:///x y"',
];
const VALUES = [
  "1",
  "'0'",
  "yes",
  "1e-3",
  "3.10",
  "~/cache",
  "C:\\x",
  '"a\\tb"',
  "größer",
  "0x10",
  "1_000",
  "2:30",
  '""',
];
const COMMANDS = [
  "make -j4",
  "'echo \"a: b\"'",
  "|\n    cd x\n    make",
  ">-\n    python -c\n    'import x'",
  "echo $HOME # said",
];

/** A specification as people write them, in one of many layouts; the same for the same seed. */
export function makeSpecText(seed: number): string {
  const random = makeRandom(seed);
  const choose = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const list = (items: readonly string[], most: number) =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => choose(items));
  const phase = () => {
    const packages = list(PACKAGES, 3);
    return random() < 0.5
      ? `  - [${packages.map(quote).join(", ")}]`
      : `  - ${packages.map((one) => `- ${one}`).join("\n    ")}`;
  };
  const parts = [
    `base: ${choose(BASES)}`,
    `system_pkgs: [${list(["git", "ffmpeg", "libgl1"], 3).join(", ")}]`,
    `pip_phases:\n${Array.from({ length: 1 + Math.floor(random() * 3) }, phase).join("\n")}`,
    `env:\n${list(VALUES, 4)
      .map((value, index) => `  NAME_${index}: ${value}`)
      .join("\n")}`,
    `run_commands:\n${list(COMMANDS, 3)
      .map((command) => `- ${command}`)
      .join("\n")}`,
    "weight_dirs:\n- path: ~/weights\n  gated: yes\n- {path: /data/w, source: https://example.org/w}",
    "smoke: &smoke\n  import_names: [torch]\n  cli_checks:\n  - nvcc --version\n  - {cmd: python -V, expect: '3\\.\\d+'}",
    "# a comment\n",
  ];
  return `${parts.filter(() => random() < 0.8).join(choose(["\n", "\n\n", "\n# between\n"]))}\n`;
}

function quote(text: string): string {
  return /^["']/.test(text) ? text : `"${text}"`;
}
