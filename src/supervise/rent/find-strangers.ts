import { join } from "node:path/posix";
import { SortieError } from "../../base/error.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { loadRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { findTargetOf } from "../find-target.ts";
import { makeRemoteJobs } from "../list-jobs.ts";
import { isSilence } from "../silence.ts";
import { lookForInstance } from "./look-for-instance.ts";

/**
 * Ids of other runs that live on a run's rented machine, whoever launched them: none on one that its vendor says is stopped.
 * @throws what keeps the host from answering
 */
export async function findStrangers(desk: Desk, run: RunRecord): Promise<string[]> {
  try {
    return await askForStrangers(desk, run);
  } catch (fault) {
    if (!(fault instanceof SortieError) || !isSilence(fault)) throw fault;
    const { hasMoved, isEmpty } = await lookForInstance(desk, [run], { fault });
    if (hasMoved) return askForStrangers(desk, loadRun(desk.store, run.id));
    if (isEmpty) return [];
    throw fault;
  }
}

async function askForStrangers(desk: Desk, run: RunRecord): Promise<string[]> {
  const target = findTargetOf(desk, run);
  if (target.ask === null) throw new SortieError("internal", { reason: "a rented machine is another host" });
  const { jobDir, names } = await makeRemoteJobs(target.ask, join(run.jobFolder, ".."));
  const others = names.filter((name) => name !== run.id);
  const handles = others.map((id) => ({ id, jobFolder: join(jobDir, id), attempt: 1 }));
  const answer = handles.length === 0 ? null : await target.observe(handles);
  return others.filter((id) => {
    const seen = answer?.runs.get(id);
    return seen !== undefined && (seen.supervisorAlive || seen.commandAlive || seen.carriers.length > 0);
  });
}
