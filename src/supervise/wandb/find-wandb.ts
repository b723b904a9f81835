import { dirname, join, resolve } from "node:path";
import { findProgram } from "../../process/find-program.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";

/** The program of a run's environment, where that is on this machine, else the one on PATH; null: there is none. */
export function findWandb({ env }: Pick<Desk, "env">, python: string | null): string | null {
  const beside = python === null ? null : findProgram(join(dirname(python), "wandb"), env);
  const program = beside ?? findProgram("wandb", env);
  return program === null ? null : resolve(program);
}

/** The Python of a run's environment; null: it has none, or is on another machine. */
export function findPythonHere({ environment, remote }: RunRecord): string | null {
  return remote ? null : (environment.python?.path ?? null);
}
