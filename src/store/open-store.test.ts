import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import { isNetworkType } from "./file-system.ts";
import { openStore } from "./open-store.ts";

const folder = useTempFolder();
const path = () => join(folder(), "sortie.db");
const readMode = () => {
  const database = new Database(path());
  const mode = database.prepare("PRAGMA journal_mode").get()?.["journal_mode"];
  database.close();
  return mode;
};
const writeVersion = (version: number) => {
  const database = new Database(path());
  database.exec(`CREATE TABLE other (a); PRAGMA user_version = ${version}`);
  database.close();
};

it("makes the database for its owner alone, with tables that can be used at once", () => {
  const store = openStore(path());
  expect(store.list("SELECT * FROM runs")).toEqual([]);
  store.close();
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(readMode()).toBe("wal");
});

it("opened twice by one process, keeps the locks that tell other processes of it", async () => {
  const first = openStore(path());
  const second = openStore(path());
  first.change("INSERT INTO plans VALUES ('p1', '', '', NULL, '')");

  // Who closes it last removes the journal. Another process is not last while this one has it open.
  const visit = `const Database = require("libsql"); const database = new Database(process.argv[1]);
    database.exec("INSERT INTO plans VALUES ('p2', '', '', NULL, '')"); database.close();`;
  const outcome = await makeLocalRunner().run([process.execPath, "-e", visit, path()], { timeoutMs: 10_000 });
  expect(outcome).toMatchObject({ exitCode: 0, stderr: "" });
  expect(existsSync(`${path()}-wal`)).toBe(true);
  first.change("INSERT INTO plans VALUES ('p3', '', '', NULL, '')");
  expect(second.list("SELECT id FROM plans").map((row) => row["id"])).toEqual(["p1", "p2", "p3"]);
  first.close();
  second.close();
});

describe("on a network file system", () => {
  it("keeps the journal that needs no shared memory", () => {
    openStore(path(), { isOnNetwork: () => true }).close();
    expect(readMode()).toBe("delete");
  });

  it.each([
    [0x6969, true],
    [0xff534d42, true],
    [0xff534d42 | 0, true],
    [0x65735546, true],
    [0xef53, false],
    [0x01021994, false],
  ])("knows it by the kernel's number: %s", (type, expected) => {
    expect(isNetworkType(type)).toBe(expected);
  });
});

describe("an older database", () => {
  const older = ["CREATE TABLE notes (text TEXT)", "INSERT INTO notes VALUES ('kept')"];

  it("is brought up to date, after those who use it were asked to leave", () => {
    openStore(path(), { migrations: older }).close();
    const seen: unknown[] = [];
    const beforeMigrating = (found: number) => seen.push(found, readVersion());
    const store = openStore(path(), {
      migrations: [...older, "ALTER TABLE notes ADD COLUMN at TEXT"],
      beforeMigrating,
    });
    expect(store.list("SELECT text, at FROM notes")).toMatchObject([{ text: "kept", at: null }]);
    store.close();
    expect(seen).toEqual([2, 2]);
    expect(readVersion()).toBe(3);
  });

  it("stays as it was when a step fails", () => {
    openStore(path(), { migrations: older }).close();
    const migrations = [...older, "CREATE TABLE half (a)", "NO SUCH STATEMENT"];
    expect(() => openStore(path(), { migrations })).toThrow(/syntax error/);
    const store = openStore(path(), { migrations: older });
    expect(store.list("SELECT name FROM sqlite_master").map((row) => row["name"])).toEqual(["notes"]);
    store.close();
  });

  it("asks nobody to leave when there is none yet", () => {
    const beforeMigrating = () => expect.unreachable();
    openStore(path(), { beforeMigrating }).close();
  });
});

describe("what cannot be used", () => {
  it("is left as it is when a newer Sortie wrote it", () => {
    writeVersion(99);
    const before = readFileSync(path());
    expect(() => openStore(path())).toThrow(expect.objectContaining({ code: "store_newer", exit: 5 }));
    expect(readFileSync(path())).toEqual(before);
  });

  it.each([
    ["text", Buffer.from("not a database at all\n".repeat(300))],
    ["a cut head", Buffer.from("SQLite format 3\0\x10\0")],
    ["zeros", Buffer.alloc(8192)],
  ])("is left as it is when it is damaged: %s", (_, bytes) => {
    writeFileSync(path(), bytes);
    expect(() => openStore(path())).toThrow(expect.objectContaining({ code: "store_corrupt", exit: 5 }));
    expect(readFileSync(path())).toEqual(bytes);
  });

  it("is told to be unwritable when it is a folder, or lies nowhere", () => {
    expect(() => openStore(folder())).toThrow(expect.objectContaining({ code: "home_unwritable" }));
    const nowhere = join(folder(), "no", "sortie.db");
    expect(() => openStore(nowhere)).toThrow(expect.objectContaining({ code: "home_unwritable" }));
  });

  function writeDamaged() {
    const store = openStore(path());
    store.list("PRAGMA wal_checkpoint(TRUNCATE)");
    store.close();
    const bytes = readFileSync(path());
    bytes.fill(0xff, 4096);
    writeFileSync(path(), bytes);
    return bytes;
  }

  it("is told to be damaged when that shows only on use", () => {
    const bytes = writeDamaged();
    const store = openStore(path());
    expect(() => store.list("SELECT * FROM runs")).toThrow(
      expect.objectContaining({ code: "store_corrupt" }),
    );
    store.close();
    expect(readFileSync(path())).toEqual(bytes);
  });
});

function readVersion(): unknown {
  const database = new Database(path());
  const version = database.prepare("PRAGMA user_version").get()?.["user_version"];
  database.close();
  return version;
}
