import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { makeFileOnce, removeFile, writeFileAtomic } from "./atomic-file.ts";

const folder = useTempFolder();
const path = () => join(folder(), "state.json");
/** As a writer leaves it that is killed before the rename. */
const leaveBeside = (ageS: number) => {
  const left = `${path()}.0123abcd.tmp`;
  writeFileSync(left, "{");
  utimesSync(left, Date.now() / 1000 - ageS, Date.now() / 1000 - ageS);
};

describe("a file that is written whole", () => {
  it("has its content and mode, and replaces what was there", () => {
    writeFileAtomic(path(), "one");
    writeFileAtomic(path(), Buffer.from("two"), { mode: 0o600 });
    expect(readFileSync(path(), "utf8")).toBe("two");
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder())).toEqual(["state.json"]);
  });

  it("leaves nothing beside it when it cannot be put in place", () => {
    mkdirSync(join(path(), "in the way"), { recursive: true });
    expect(() => writeFileAtomic(path(), "x")).toThrow(expect.objectContaining({ code: "home_unwritable" }));
    expect(readdirSync(folder())).toEqual(["state.json"]);
  });

  it("clears up after a writer that was killed, but leaves one alone that may be at work", () => {
    leaveBeside(3600);
    writeFileSync(`${path()}.notes.tmp`, "mine");
    writeFileAtomic(path(), "{}");
    expect(readdirSync(folder()).sort()).toEqual(["state.json", "state.json.notes.tmp"]);
    leaveBeside(0);
    writeFileAtomic(path(), "{}");
    expect(readdirSync(folder())).toContain("state.json.0123abcd.tmp");
  });
});

it("is made once: the first one stays, the second learns of it", () => {
  expect(makeFileOnce(path(), "first", { mode: 0o600 })).toBe(true);
  expect(makeFileOnce(path(), "second")).toBe(false);
  expect(readFileSync(path(), "utf8")).toBe("first");
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder())).toEqual(["state.json"]);
});

it("is removed with all that was left beside it", () => {
  writeFileAtomic(path(), "secret");
  leaveBeside(0);
  removeFile(path());
  expect(readdirSync(folder())).toEqual([]);
  removeFile(join(folder(), "no", "such file"));
});
