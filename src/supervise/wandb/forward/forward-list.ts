import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SortieError } from "../../../base/error.ts";
import { isOrNull, isShape, isText, parseJson } from "../../../base/shape.ts";
import { writeFileAtomic } from "../../../disk/atomic-file.ts";
import type { RunRecord } from "../../../runs/run-record.ts";
import { loadRun } from "../../../runs/run-store.ts";
import type { Desk } from "../../desk.ts";

/** What is to be known of a run to forward its numbers, beside its record. */
interface Forward {
  /** The program `wandb` that was found when it was planned: whoever forwards may have another PATH. */
  readonly program: string | null;
}

const ENDING = ".json";
const isForward = isShape<Forward>({ program: isOrNull(isText) });

/** A run that has ended and is home, and whose numbers are to be forwarded now. */
export interface DueForward extends Forward {
  readonly run: RunRecord;
}

/** Puts down that the numbers of a run are to be forwarded once it is home. No run fails for it. */
export function addForward({ home }: Pick<Desk, "home">, id: string, program: string | null): void {
  try {
    mkdirSync(home.forward, { recursive: true, mode: 0o700 });
    const forward: Forward = { program };
    writeFileAtomic(findPlace({ home }, id), JSON.stringify(forward), { mode: 0o600 });
  } catch {
    // a full disk: `sortie wandb sync` forwards them all the same
  }
}

export function removeForward({ home }: Pick<Desk, "home">, id: string): void {
  rmSync(findPlace({ home }, id), { force: true });
}

/** In the order of their ids. What is there of runs that are gone is removed. */
export function listDueForwards(desk: Pick<Desk, "home" | "store">): DueForward[] {
  return listNames(desk).flatMap((name) => {
    const id = basename(name, ENDING);
    const run = findKnown(desk, id);
    if (run === null) removeForward(desk, id);
    return run === null || run.results === null ? [] : [{ run, program: readProgram(desk, id) }];
  });
}

function listNames({ home }: Pick<Desk, "home">): string[] {
  try {
    return readdirSync(home.forward)
      .filter((name) => name.endsWith(ENDING))
      .sort();
  } catch {
    return []; // nothing was ever forwarded
  }
}

function findKnown({ store }: Pick<Desk, "store">, id: string): RunRecord | null {
  try {
    return loadRun(store, id);
  } catch (fault) {
    if (fault instanceof SortieError && fault.code === "run_unknown") return null;
    throw fault;
  }
}

function readProgram(desk: Pick<Desk, "home">, id: string): string | null {
  try {
    return parseJson(readFileSync(findPlace(desk, id), "utf8"), isForward)?.program ?? null;
  } catch {
    return null; // done meanwhile
  }
}

function findPlace({ home }: Pick<Desk, "home">, id: string): string {
  return join(home.forward, `${id}${ENDING}`);
}

/** A program's folder first on PATH, so that it is the one that is found there. */
export function preferProgram<Some extends Pick<Desk, "env">>(desk: Some, program: string | null): Some {
  if (program === null) return desk;
  const path = [dirname(program), desk.env["PATH"] ?? ""].join(":");
  return { ...desk, env: { ...desk.env, PATH: path } };
}
