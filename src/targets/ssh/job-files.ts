import { quoteCommand } from "../../base/quote.ts";
import leaseFunctions from "../../gpus/lease.sh";
import { makeEnvFile } from "../../runs/job-script.ts";
import { makeRunScript, type ShellName } from "../../runs/run-script.ts";
import type { Job } from "../target.ts";

/**
 * The shell function `put_files`, which writes every file of a job folder. Without variables there is no `env`: the one
 * that a run in line has there already stays as it is.
 */
export function makePutFiles(job: Job, shell: ShellName): string {
  const jobShell = shell === "bash" ? "bash" : job.supervisor.jobShell;
  const files = {
    env: makeEnvFile(job.variables),
    "job.sh": job.jobScript,
    "run.sh": makeRunScript({ ...job.supervisor, jobShell }, shell, leaseFunctions),
    "meta.json": `${JSON.stringify(job.meta, null, 2)}\n`,
  };
  const calls = Object.entries(files)
    .filter(([, text]) => text !== "")
    .map(([name, text]) => quoteCommand(["put_file", name, String(Buffer.byteLength(text)), text]));
  return ["put_files() {", ...calls, "}", ""].join("\n");
}

/** A call that writes a file of any bytes: a script is text. */
export function makePutBytes(name: string, bytes: Uint8Array): string {
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/[^\n -[\]-~]/g, (character) => `\\0${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return quoteCommand(["put_bytes", name, String(bytes.length), text]);
}
