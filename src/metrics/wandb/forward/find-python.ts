import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findProgram } from "../../../process/find-program.ts";

const HEAD_BYTES = 1024;

/** The Python that runs a program of a package: as its first lines name it, else the one beside it. null: it is not found. */
export function findPythonOf(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const named = readInterpreter(readHead(program));
  const folders = [dirname(program), dirname(findRealPath(program))];
  const beside = folders.flatMap((folder) => [join(folder, "python3"), join(folder, "python")]);
  const names = named === null ? beside : [named, ...beside];
  return names.map((name) => findProgram(name, env)).find((path) => path !== null) ?? null;
}

/** A path or a name; null: it is none of Python. Of paths that are long or have spaces installers write a line of shell. */
export function readInterpreter(head: string): string | null {
  const [, first = "", second = ""] = /^#!\s*(\S+)(?:[ \t]+(\S+))?/.exec(head) ?? [];
  const [, quoted, bare] = /^'''exec' (?:"([^"$`\\]+)"|(\/\S+)) "\$0"/m.exec(head) ?? [];
  const named = basename(first) === "env" ? second : first;
  const python = /^(?:python|pypy)[\d.]*$/.test(basename(named)) ? named : (quoted ?? bare ?? null);
  return python;
}

function readHead(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return ""; // it may be executed and not read
  }
}

function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // gone
  }
}
