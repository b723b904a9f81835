import type { ExitCode } from "./errors/define.ts";
import { type ErrorCode, findErrorRow } from "./errors/table.ts";

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** The one error class: a row of the error table, filled in. Shown to people as `message` and `hint`. */
export class SortieError extends Error {
  override readonly name = "SortieError";
  readonly code: ErrorCode;
  readonly hint: string;
  readonly exit: ExitCode;
  readonly retryable: boolean;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, cause?: unknown) {
    const row = findErrorRow(code);
    super(fillIn(row.message, details), cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = fillIn(row.hint, details);
    this.exit = row.exit;
    this.retryable = row.retryable ?? false;
    this.details = details;
  }
}

/** The error in the shape that `--json` prints: `{code, message, hint, retryable, details}`. */
export function makeErrorDocument(error: SortieError) {
  const { code, message, hint, retryable, details } = error;
  return { code, message, hint, retryable, details };
}

/** Any thrown value as a SortieError; what is not one already becomes `internal`, its cause kept. */
export function toSortieError(thrown: unknown): SortieError {
  if (thrown instanceof SortieError) return thrown;
  return new SortieError("internal", { reason: describeFault(thrown) }, thrown);
}

/** The message of a thrown value, without its stack. */
export function describeFault(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function fillIn(template: string, details: ErrorDetails): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = details[name];
    if (value === undefined) return whole;
    return Array.isArray(value) ? value.join(", ") : String(value);
  });
}
