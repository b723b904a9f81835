/** The part of libsql's better-sqlite3 interface that the store uses; the package ships its types under another name. */
declare module "libsql" {
  /** Values are a list: one that is given alone, without it, is taken for a table of names where it is bytes or null, and ends the process. */
  export interface Statement {
    run(values?: readonly unknown[]): { changes: number };
    get(values?: readonly unknown[]): Record<string, unknown> | undefined;
    all(values?: readonly unknown[]): Record<string, unknown>[];
  }
  export default class Database {
    constructor(path: string, options?: { readonly?: boolean; timeout?: number });
    exec(sql: string): void;
    pragma(text: string, options?: { simple?: boolean }): unknown;
    prepare(sql: string): Statement;
    close(): void;
  }
}
