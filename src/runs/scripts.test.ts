import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "scripts");
const SCRIPTS = [
  ...readdirSync(FOLDER).map((name) => join(FOLDER, name)),
  join(import.meta.dirname, "../gpus/lease.sh"),
  join(import.meta.dirname, "../process/count-cpus.sh"),
];
/** Meant for the shell, for a program that is started, or for the command. */
const NOT_OURS =
  /^(IFS|PATH|HOME|SHELL|TERM|STY|WINDOW|_|BASH_VERSION|CUDA_\w+|\w+_NUM_THREADS|VECLIB_MAXIMUM_THREADS|SORTIE_(RUN_(ID|NAME|DIR)|RESULTS_DIR|ATTEMPT|LEASE_DIR))$/;
const NAME = "([A-Za-z_]\\w*)";
const USES = [`\\$\\{?#?${NAME}`, `\\bfor ${NAME} in`, `^\\s*${NAME}=`, `[;({!] *${NAME}=`];

/** Names of variables, outside what is said in single quotes to another program. */
function listNames(path: string): string[] {
  const code = readFileSync(path, "utf8")
    .replace(/^\s*#.*$/gm, "")
    .replace(/(awk|sed|perl)\b[^']*'[^']*'/g, "")
    .replace(/="[^"]*\n[^"]*"/g, "");
  const uses = USES.flatMap((use) =>
    [...code.matchAll(new RegExp(use, "gm"))].map((match) => match[1] ?? ""),
  );
  const read = [...code.matchAll(/\bread -r ([A-Za-z_ ]+)/g)].flatMap(
    (match) => match[1]?.trim().split(" ") ?? [],
  );
  return [...uses, ...read];
}

describe("the scripts' own names", () => {
  it.each(SCRIPTS.map((path) => [basename(path), path]))("begin with sortie_ in %s", (_, path) => {
    const names = listNames(path);
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !name.startsWith("sortie_") && !NOT_OURS.test(name))).toEqual([]);
  });
});
