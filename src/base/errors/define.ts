/** Exit codes that a fault may end a command with; what each means stands in the README's table. */
export type ExitCode = 1 | 2 | 3 | 4 | 5 | 124 | 130 | 143;

/**
 * One row of the error table. `message` says what is wrong and where, `hint` what to do; `{name}` stands for
 * a detail given when the error is made. `retryable`: the same call may succeed later, unchanged.
 */
export interface ErrorRow {
  readonly exit: ExitCode;
  readonly retryable?: boolean;
  readonly message: string;
  readonly hint: string;
}

/** Keeps the codes of a table as literal types, so that a misspelt code does not compile. */
export function defineErrors<const Table extends Record<string, ErrorRow>>(table: Table): Table {
  return table;
}
