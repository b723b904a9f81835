import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** In the environment of this test file's processes, so that one which left its parent is still known as ours. */
const MARK = "SORTIE_TEST_FILE";

export interface OwnProcess {
  readonly pid: number;
  readonly command: string;
}

export function markOwnProcesses() {
  process.env[MARK] = randomUUID();
}

/** Living processes that this test file started: its children, and all that inherited its mark. Empty without /proc. */
export function findOwnProcesses(): OwnProcess[] {
  const mark = `${MARK}=${process.env[MARK]}`;
  return listPids()
    .filter((pid) => pid !== process.pid && isAlive(pid) && (isChild(pid) || hasVariable(pid, mark)))
    .map((pid) => ({ pid, command: readText(pid, "cmdline").replaceAll("\0", " ").trim() }));
}

/** Whether a process was started with a variable, given as `NAME=value`. */
export function hasVariable(pid: number, variable: string): boolean {
  return readText(pid, "environ").split("\0").includes(variable);
}

export function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended by itself
  }
}

function listPids(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/** A killed process may stay a zombie for a moment until its parent asks for it: that is dead. */
function isAlive(pid: number): boolean {
  const state = readStat(pid)[0];
  return state !== undefined && state !== "Z" && state !== "X";
}

function isChild(pid: number): boolean {
  return Number(readStat(pid)[1]) === process.pid;
}

/** The fields after the name in parentheses: state, parent, … */
function readStat(pid: number): string[] {
  const text = readText(pid, "stat");
  return text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .filter(Boolean);
}

function readText(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return ""; // it has ended meanwhile, or it is not ours to read
  }
}
