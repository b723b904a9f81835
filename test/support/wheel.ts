import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findTool } from "./shells.ts";

export interface Wheel {
  readonly name: string;
  readonly version: string;
  /** The text of its one module; default: `version = "…"`. */
  readonly code?: string;
  readonly requires?: readonly string[];
}

/** Writes a wheel that pip and uv install without an index, and answers its path. */
export function writeWheel(folder: string, { name, version, code, requires = [] }: Wheel): string {
  const module = name.replaceAll("-", "_");
  const info = `${module}-${version}.dist-info`;
  const path = join(folder, `${module}-${version}-py3-none-any.whl`);
  const metadata = ["Metadata-Version: 2.1", `Name: ${name}`, `Version: ${version}`];
  const files = {
    [`${module}.py`]: code ?? `version = ${JSON.stringify(version)}\n`,
    [`${info}/METADATA`]: [...metadata, ...requires.map((wanted) => `Requires-Dist: ${wanted}`), ""].join(
      "\n",
    ),
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${info}/RECORD`]: "",
  };
  execFileSync(findTool("python3") as string, ["-c", WRITE, path], { input: JSON.stringify(files) });
  return path;
}

const WRITE = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    for name, text in json.load(sys.stdin).items():
        wheel.writestr(name, text)
`;
