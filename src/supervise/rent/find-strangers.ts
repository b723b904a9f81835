import { join } from "node:path/posix";
import { SortieError } from "../../base/error.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { findTargetOf } from "../find-target.ts";
import { makeRemoteJobs } from "../list-jobs.ts";

/** Ids of other runs that live on a run's host, whoever launched them. @throws what keeps the host from answering */
export async function findStrangers(desk: Desk, run: RunRecord): Promise<string[]> {
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
