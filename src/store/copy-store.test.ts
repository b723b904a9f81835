import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { copyStore } from "./copy-store.ts";
import { openStore } from "./open-store.ts";

const folder = useTempFolder();
const migrations = ["CREATE TABLE things (name TEXT NOT NULL) STRICT;"];
const open = (name: string) => openStore(join(folder(), name), { migrations });
const list = (name: string) => {
  const store = open(name);
  const names = store.list("SELECT name FROM things ORDER BY name").map((row) => row["name"]);
  store.close();
  return names;
};

it("copies what is on record, also what another process writes right now has begun", () => {
  const [store, writer] = [open("a.db"), open("a.db")];
  store.change("INSERT INTO things VALUES ('one')");
  writer.together(() => {
    writer.change("INSERT INTO things VALUES ('half')");
    copyStore(store, join(folder(), "b.db"), { replace: false });
  });
  store.close();
  writer.close();
  expect(list("b.db")).toEqual(["one"]);
  expect(statSync(join(folder(), "b.db")).mode & 0o777).toBe(0o600);
  expect(list("a.db")).toEqual(["half", "one"]);
});

it("takes the place of another file only where it may, and leaves nothing beside it", () => {
  const store = open("a.db");
  writeFileSync(join(folder(), "b.db"), "mine");
  const copy = (name: string, replace: boolean) => copyStore(store, join(folder(), name), { replace });
  expect(() => copy("b.db", false)).toThrow(/EEXIST/);
  expect(readFileSync(join(folder(), "b.db"), "utf8")).toBe("mine");
  expect(() => copy("none/b.db", true)).toThrow(/ENOENT/);
  copy("b.db", true);
  store.close();
  expect(list("b.db")).toEqual([]);
  expect(readdirSync(folder()).filter((name) => !/^[ab]\.db(-\w+)?$/.test(name))).toEqual([]);
});
