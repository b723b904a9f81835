import { readdirSync } from "node:fs";
import { join } from "node:path";
import { makeToken } from "../base/ids.ts";
import { makeListJobsScript, makePrintMetasScript, parseJobList, parseMetas } from "../runs/list-jobs.ts";
import { makeHostScript, makeJobDirSetting } from "../targets/ssh/host-script.ts";
import type { Target } from "../targets/target.ts";
import { loadMetaText } from "./read-meta.ts";

const ANSWER_MS = 60_000;

/** The job folders of a host. */
export interface JobPlace {
  /** Where they lie; absolute. */
  readonly jobDir: string;
  /** Not all need be those of runs. */
  readonly names: readonly string[];
  /** The texts of their `meta.json`, by name; empty where there is none. */
  loadMetas(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** On this machine. */
export function makeLocalJobs(jobDir: string): JobPlace {
  return {
    jobDir,
    names: listNames(jobDir),
    loadMetas: async (names) => new Map(names.map((name) => [name, loadMetaText(join(jobDir, name))])),
  };
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there is no such folder: no run was ever launched there
  }
}

/** Over a network. @param jobDir null: the usual one there @throws what keeps the host from answering */
export async function makeRemoteJobs(
  ask: NonNullable<Target["ask"]>,
  jobDir: string | null,
): Promise<JobPlace> {
  const put = <Answer>(makeScript: (token: string) => string, read: Read<Answer>): Promise<Answer> => {
    const token = makeToken();
    const script = makeHostScript([makeJobDirSetting(jobDir), makeScript(token)]);
    return ask({ script, timeoutMs: ANSWER_MS, read: (stdout) => read(stdout, token) });
  };
  const list = await put(makeListJobsScript, parseJobList);
  return { ...list, loadMetas: (names) => put((token) => makePrintMetasScript(names, token), parseMetas) };
}

type Read<Answer> = (stdout: string, token: string) => Answer | null;
