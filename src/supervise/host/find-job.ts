import { SortieError } from "../../base/error.ts";
import { quoteInput } from "../../base/quote-input.ts";
import { findJob, findJobByUuid, type JobRow } from "../../gateway/records/jobs.ts";
import type { Store } from "../../store/store.ts";

/** The job of that number or uuid. @throws gateway_job_unknown */
export function findJobOf(records: Store, wanted: string): JobRow {
  const job = /^\d{1,15}$/.test(wanted) ? findJob(records, Number(wanted)) : findJobByUuid(records, wanted);
  return job ?? refuseJob(wanted);
}

/** @throws gateway_job_unknown */
export function refuseJob(wanted: string): never {
  throw new SortieError("gateway_job_unknown", { job: quoteInput(wanted) });
}

/** `job 3 ("first try", board manip)`. */
export function describeJob({ id, name, board }: JobRow): string {
  return `job ${id} (${JSON.stringify(name)}, board ${board})`;
}
