import type { StateFile } from "../../challenge/state-file.ts";
import type { Environment } from "../desk.ts";

/** A job as the contestant's variables name it: by number, UUID, or both. */
export interface NamedJob {
  readonly id: number | null;
  readonly uuid: string | null;
}

/** The job of the environment, else the state file's; null: neither names one. Two sources are never mixed. */
export function findCurrentJob(env: Environment, { values }: Pick<StateFile, "values">): NamedJob | null {
  return readJob(env["JOB_ID"], env["JOB_UUID"]) ?? readJob(values.JOB_ID, values.JOB_UUID);
}

/** The job whose handle the state file holds, whatever the environment says. */
export function findJobOfFile({ values }: Pick<StateFile, "values">): NamedJob | null {
  return readJob(values.JOB_ID, values.JOB_UUID);
}

/** What an `id` is, also where its variable holds a UUID by mistake. */
function readJob(idText: string | undefined, uuidText: string | undefined): NamedJob | null {
  const [id, uuid] = [clean(idText), clean(uuidText)];
  const number = id !== null && isJobNumber(id) ? Number(id) : null;
  const named = uuid ?? (number === null ? id : null);
  return number === null && named === null ? null : { id: number, uuid: named };
}

export function isJobNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

/** The number of agents that PARALLELISM says; null: it says none. */
export function readAgentCount(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : null;
}

/** `null` is what a script writes that read nothing out of a reply. */
function clean(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" || trimmed === "null" ? null : trimmed;
}
