import { SortieError } from "../base/error.ts";

const MOST_CHARACTERS = 128;

/** The job's UUID, white space round it taken away. @throws SortieError `job_missing`, `job_bad` */
export function checkJobUuid(text: string | undefined): string {
  const uuid = (text ?? "").trim();
  if (uuid === "" || uuid === "null") throw new SortieError("job_missing", { found: uuid || "nothing" });
  const fault = findFault(uuid);
  if (fault !== null) throw new SortieError("job_bad", { uuid: uuid.slice(0, MOST_CHARACTERS), fault });
  return uuid;
}

/** Only what is surely a mistake: how a gateway names its jobs is its own affair. */
function findFault(uuid: string): string | null {
  if (/^\d+$/.test(uuid)) return "that is a number, as JOB_ID and the index of a GPU are";
  if (/^[a-z]+:\/\//i.test(uuid)) return "that is an address";
  if (!/^[\w.-]+$/.test(uuid)) return "there are characters in it that no UUID has";
  return uuid.length > MOST_CHARACTERS ? "it is too long" : null;
}
