import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { beforeEach, describe, expect, it } from "vitest";
import { openRecords } from "../../src/gateway/records/open-records.ts";
import { writeGatewayConfig } from "../support/gateway-process.ts";
import { useSortie } from "../support/sortie.ts";

const sortie = useSortie();
const data = () => join(sortie.project(), "data");
const backUp = (file: string, ...flags: string[]) => sortie.ask(["gateway", "backup", file, ...flags]);

beforeEach(() => {
  writeGatewayConfig(sortie);
  openRecords(data()).close();
});

describe("a backup with --replace", () => {
  it("takes the place of an earlier one", async () => {
    const copy = join(sortie.temp(), "copy.db");
    expect((await backUp(copy, "--replace")).exit).toBe(0);
    const again = await backUp(copy);
    expect(again.error).toMatchObject({ code: "backup_exists", hint: expect.stringContaining("--replace") });
    expect((await backUp(copy, "--replace")).exit).toBe(0);
  });

  it("takes the place of nothing else, whatever it is called", async () => {
    const place = (name: string) => join(sortie.temp(), name);
    writeFileSync(place("letter"), "dear me");
    writeFileSync(place("empty"), "");
    writeFileSync(place("torn"), `SQLite format 3\0${"x".repeat(5000)}`);
    new Database(place("other.db")).exec("CREATE TABLE things (name TEXT)");
    mkdirSync(place("folder"));
    expect((await backUp(place("copy.db"))).exit).toBe(0);
    symlinkSync(place("copy.db"), place("link"));
    mkdirSync(place("other gateway"));
    cpSync(place("copy.db"), join(place("other gateway"), "gateway.db"));
    writeFileSync(join(place("other gateway"), "gateway.lock"), "");
    cpSync(place("copy.db"), join(data(), "old.db"));
    const files = [
      ...["letter", "empty", "torn", "other.db", "folder", "link", "other gateway/gateway.db"].map(place),
      ...[join(sortie.project(), "gateway.yaml"), "/dev/null"],
      ...["gateway.db", "gateway.lock", "old.db"].map((name) => join(data(), name)),
    ];
    const look = () =>
      files.map((file) => {
        const stats = lstatSync(file, { throwIfNoEntry: false });
        // SQLite moves what was written from file to file as it likes.
        const isRead = stats?.isFile() && !file.startsWith(join(data(), "gateway.db"));
        return [file, stats?.ino, stats?.mode, isRead && readFileSync(file, "latin1").slice(0, 4096)];
      });
    const before = look();
    for (const file of files) {
      const { error, exit } = await backUp(file, "--replace");
      expect([file, exit, error?.code]).toEqual([file, 2, "backup_place_bad"]);
      expect(error.message).toMatch(/cannot be replaced: .*\. It was left as it is\.$/);
      expect(error.hint).not.toContain("add --replace");
    }
    expect(look()).toEqual(before);
    expect((await backUp(join(data(), "gateway.db-wal"), "--replace")).exit).toBe(2);
  });
});

it("a backup removes what a killed one left beside it, and not what is still written", async () => {
  const { pid: gone } = spawnSync("true");
  const left = ["", "-journal"].map((end) => `copy.db.${gone}.0123abcd.tmp${end}`);
  const kept = [`copy.db.${process.pid}.0123abcd.tmp`, "copy.db.tmp", `copy.db.${gone}.notes.tmp`];
  for (const name of [...left, ...kept]) writeFileSync(join(sortie.temp(), name), "x");
  expect((await backUp(join(sortie.temp(), "copy.db"))).exit).toBe(0);
  const names = readdirSync(sortie.temp()).filter((name) => name.startsWith("copy.db"));
  expect(names.sort()).toEqual(["copy.db", ...kept].sort());
  expect(existsSync(join(sortie.temp(), "copy.db"))).toBe(true);
});
