/** The part of libsql's better-sqlite3 interface that the store uses; the package ships its types under another name. */
declare module "libsql" {
  /**
   * One value alone that is bytes or null is taken for a table of names, which ends the process: the store hands over a
   * list.
   */
  export interface Statement {
    run(...values: unknown[]): { changes: number };
    get(...values: unknown[]): Record<string, unknown> | undefined;
    all(...values: unknown[]): Record<string, unknown>[];
    iterate(...values: unknown[]): IterableIterator<Record<string, unknown>>;
  }
  export default class Database {
    constructor(path: string, options?: { readonly?: boolean; timeout?: number });
    exec(sql: string): void;
    pragma(text: string, options?: { simple?: boolean }): unknown;
    prepare(sql: string): Statement;
    close(): void;
  }
}
