import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { CHECKOUT } from "./contestant.ts";

const PYTHON = join(CHECKOUT, ".venv", "bin", "python");

/** What Python makes of a YAML file: the JSON that is hashed, or why it refuses. */
export interface PythonAnswer {
  readonly canonical?: string;
  readonly error?: string;
}

/** Why tests cannot ask PyYAML here; undefined: they can. */
export function findPyYamlLack(): string | undefined {
  try {
    execFileSync(PYTHON, ["-c", "import yaml"], { stdio: "ignore" });
    return undefined;
  } catch {
    return `.venv has no PyYAML: ${PYTHON} cannot import yaml`;
  }
}

/** Asks the real PyYAML about many files, by one process. */
export function askPyYaml(files: readonly Uint8Array[]): readonly PythonAnswer[] {
  const input = files.map((file) => `${Buffer.from(file).toString("base64")}\n`).join("");
  const output = execFileSync(PYTHON, [join(CHECKOUT, "test", "support", "read_with_pyyaml.py")], {
    input,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return output
    .trimEnd()
    .split("\n")
    .map((line): PythonAnswer => JSON.parse(line));
}
