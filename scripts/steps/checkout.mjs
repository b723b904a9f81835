import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds package.json. */
export const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Runs a command in the checkout, its output shown as it comes. True if it ended with 0. */
export function runShown(argv, env = process.env) {
  const { status } = spawnSync(argv[0], argv.slice(1), { cwd: checkout, env, stdio: "inherit" });
  return status === 0;
}

/** Runs a command in the checkout and keeps its output. A program that is not there is a failure with its name. */
export function runQuiet(argv, env = process.env) {
  const run = spawnSync(argv[0], argv.slice(1), {
    cwd: checkout,
    env,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return {
    ok: run.status === 0,
    output: run.error ? `${run.error.message}\n` : `${run.stdout}${run.stderr}`,
  };
}

/** True if the program is on PATH. */
export function hasProgram(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => folder && existsSync(join(folder, name)));
}

/** Every file below a folder of the checkout, as paths from the checkout. */
export function listFiles(folder) {
  const path = join(checkout, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => statSync(join(checkout, file)).isFile());
}

/** Ends the program with two lines: what is wrong, and what to do. */
export function giveUp(what, whatToDo, exitCode) {
  process.stderr.write(`${what}\n${whatToDo}\n`);
  process.exit(exitCode);
}
