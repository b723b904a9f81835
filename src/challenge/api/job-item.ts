import { type JobStatus, readStatus } from "../job-status.ts";
import { needInteger, type Row, readNumber, readRow, readText } from "./reply-shape.ts";

/** A job as the list of jobs shows it; null: the server does not say. */
export interface JobItem {
  readonly id: number;
  readonly uuid: string | null;
  readonly name: string | null;
  readonly board: string | null;
  readonly modelName: string | null;
  readonly description: string | null;
  readonly paperLink: string | null;
  readonly parallelism: number | null;
  /** null: the first servers tell it elsewhere; `loadStatus` finds it. */
  readonly status: JobStatus | null;
  /** Cases that have ended, and all of them. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly endReason: string | null;
  /** As it was stored. */
  readonly score: number | null;
  readonly createdAt: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export function readJobItem(value: unknown): JobItem {
  const row = readRow(value, "a job");
  const progress = readProgress(row["progress"]);
  return {
    id: needInteger(row["id"], "the id of a job"),
    uuid: readText(row["uuid"]) ?? readText(row["job_uuid"]),
    ...{ name: readText(row["name"]), board: readText(row["board"]), modelName: readText(row["model_name"]) },
    ...{ description: readText(row["description"]), paperLink: readText(row["paper_link"]) },
    parallelism: readNumber(row["parallelism"]),
    status: readItemStatus(row, progress),
    ...{ progress, endReason: readText(row["end_reason"]), score: readNumber(row["score"]) },
    ...{ createdAt: readText(row["created_at"]), startedAt: readText(row["started_at"]) },
    endedAt: readText(row["ended_at"]),
  };
}

function readItemStatus(row: Row, progress: JobItem["progress"]): JobStatus | null {
  const status = readWord(row["status"]);
  const detailedStatus = readText(row["detailed_status"]);
  return status === null && detailedStatus === null ? null : readStatus({ status, detailedStatus, progress });
}

/** A number or a word. */
export function readWord(value: unknown): number | string | null {
  return typeof value === "number" ? value : readText(value);
}

function readProgress(value: unknown): JobItem["progress"] {
  const row = Object(value) as Row;
  const done = readNumber(row["done"]);
  const total = readNumber(row["total"]);
  return done === null || total === null ? null : { done, total };
}
