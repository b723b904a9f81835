import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./store.ts";

const folder = useTempFolder();
let store: Store;
beforeEach(() => {
  store = openStore(join(folder(), "sortie.db"), {
    migrations: ["CREATE TABLE notes (text TEXT PRIMARY KEY) STRICT"],
  });
});
afterEach(() => store.close());

const add = (text: string) => store.change("INSERT INTO notes VALUES (?)", text);
const list = () => store.list("SELECT text FROM notes ORDER BY text").map((row) => row["text"]);

describe("changes that belong together", () => {
  it("happen all", () => {
    store.together(() => {
      add("one");
      store.together(() => add("two"));
    });
    expect(list()).toEqual(["one", "two"]);
  });

  it("happen not at all when one fails, and the next ones still can", () => {
    add("there");
    const both = () =>
      store.together(() => {
        add("new");
        add("there");
      });
    expect(both).toThrow(/UNIQUE/);
    expect(list()).toEqual(["there"]);
    store.together(() => add("later"));
    expect(list()).toEqual(["later", "there"]);
  });

  it("tell the fault that led there when SQLite took them back by itself", () => {
    const broken = () =>
      store.together(() => {
        add("one");
        store.change("INSERT OR ROLLBACK INTO notes VALUES ('one')");
      });
    expect(broken).toThrow(/UNIQUE/);
    expect(list()).toEqual([]);
  });
});

it("takes a single value of any kind", () => {
  const find = (value: unknown) => store.find("SELECT ? AS value", value)?.["value"];
  expect([null, 1.5, "text"].map(find)).toEqual([null, 1.5, "text"]);
  expect(Buffer.from(find(Buffer.from([0, 255])) as Uint8Array)).toEqual(Buffer.from([0, 255]));
});
