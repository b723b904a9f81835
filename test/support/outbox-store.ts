import { openStore } from "../../src/store/open-store.ts";
import { listNotices, makeOutbox } from "../../src/supervise/news/outbox-store.ts";

const ALL = 10_000;

/** An outbox in a database file: each that opens it is as good as another process. */
export function openOutbox(path: string) {
  const store = openStore(path);
  const listAll = () => listNotices(store, ALL).reverse();
  return { outbox: makeOutbox(store), listAll, close: () => store.close() };
}
