import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds package.json. */
export const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Runs a command in the checkout, its output shown as it comes. True if it ended with 0. */
export async function runShown(argv, options) {
  return (await runToExit(argv, options)) === 0;
}

/**
 * Runs a command with this terminal as its own, and gives its exit code. Signals are handed on: who stops us stops it.
 * Ctrl-C reaches it from the terminal anyway; what to do then is for the command to say.
 */
export function runToExit(argv, { env = process.env, cwd = checkout } = {}) {
  const child = spawn(argv[0], argv.slice(1), { cwd, env, stdio: "inherit" });
  const handOn = (signal) => child.kill(signal);
  const ignore = () => undefined;
  process.on("SIGTERM", handOn).on("SIGHUP", handOn).on("SIGINT", ignore);
  return new Promise((resolve) => {
    const finish = (exitCode) => {
      process.off("SIGTERM", handOn).off("SIGHUP", handOn).off("SIGINT", ignore);
      resolve(exitCode);
    };
    child.on("error", (fault) => {
      process.stderr.write(`${fault.message}\n`);
      finish(127);
    });
    child.on("close", (exitCode, signal) => finish(exitCode ?? 128 + constants.signals[signal]));
  });
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
    stdout: run.stdout ?? "",
    output: run.error ? `${run.error.message}\n` : `${run.stdout}${run.stderr}`,
  };
}

/** True if the program is on PATH, or there by its absolute path: servers lie in folders that not every PATH names. */
export function hasProgram(name) {
  if (isAbsolute(name)) return existsSync(name);
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
