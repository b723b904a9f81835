import { join, relative } from "node:path/posix";
import { nameJobFiles } from "../runs/job-folder.ts";
import type { RunRecord } from "../runs/run-record.ts";

/** The folder that the command of a run starts in, on its host; a copy of the code lies in the job folder. */
export function findStartFolder({
  request,
  remote,
  jobFolder,
}: Pick<RunRecord, "request" | "remote" | "jobFolder">): string {
  if (!remote) return request.cwd;
  const { folder, codeDir, freeze = false } = remote;
  return freeze ? join(nameJobFiles(jobFolder).code, relative(codeDir, folder)) : folder;
}
