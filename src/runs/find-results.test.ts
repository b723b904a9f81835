import { mkdirSync, realpathSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import { findResults } from "./find-results.ts";

const temp = useTempFolder();
let folder = "";

beforeEach(() => {
  folder = join(realpathSync(temp()), "project [1]");
  mkdirSync(folder);
});

function write(path: string, place = folder) {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), path);
}

function find(globs: string[], sinceMs = 0) {
  return findResults({ folder, globs, sinceMs }).map(({ path }) => path);
}

describe("which files match", () => {
  it.each([
    [["results/"], ["results/.hidden", "results/a.json", "results/sub/b.pt"]],
    [["results/*.json"], ["results/a.json"]],
    [["**/*.pt"], ["c.pt", "results/sub/b.pt"]],
    [
      ["{c,d}.pt", "results/s?b"],
      ["c.pt", "results/sub/b.pt"],
    ],
    [["c.pt", "./c.pt", "*.pt"], ["c.pt"]],
    [["results/../c.pt"], ["c.pt"]],
    [["."], ["c.pt", "results/.hidden", "results/a.json", "results/sub/b.pt"]],
    [["missing/"], []],
    [[], []],
  ])("%j", (globs, expected) => {
    for (const path of ["results/sub/b.pt", "results/a.json", "results/.hidden", "c.pt", ".git/index"])
      write(path);
    expect(find(globs)).toEqual(expected);
  });

  it("takes an absolute glob on purpose, and as relative where it lies in the folder", () => {
    const outside = join(realpathSync(temp()), "outside");
    write("x/a.txt", outside);
    write("b.txt");
    expect(find([`${outside}/**/*.txt`, `${folder}/b.txt`])).toEqual([join(outside, "x/a.txt"), "b.txt"]);
  });

  it.each(["../other", "results/../../x", ".."])("refuses %s, which leads out", (glob) => {
    expect(() => find([glob])).toThrow(expect.objectContaining({ code: "results_glob_bad" }));
  });

  it("keeps names with newlines, and the bytes of names that are not UTF-8", () => {
    write("results/new\nline");
    const odd = Buffer.concat([Buffer.from(`${folder}/results/`), Buffer.from([0xff, 0x41])]);
    writeFileSync(odd, "x");
    expect(findResults({ folder, globs: ["results"], sinceMs: 0 })).toMatchObject([
      { path: "results/new\nline", bytes: 16 },
      { path: "results/\ufffdA", pathBytes: Buffer.from("results/\xffA", "latin1").toString("base64") },
    ]);
  });
});

describe("links and what is no file", () => {
  it("follows a results folder that is a link, and links to files inside it", () => {
    const scratch = join(temp(), "scratch");
    write("epoch3.pt", scratch);
    symlinkSync(scratch, join(folder, "results"));
    symlinkSync("epoch3.pt", join(scratch, "latest.pt"));
    expect(find(["results/"])).toEqual(["results/epoch3.pt", "results/latest.pt"]);
  });

  it("follows no link to a file outside, to a folder, to itself or to nothing", () => {
    write("results/sub/a");
    write("secret", temp());
    symlinkSync(join(temp(), "secret"), join(folder, "results/outside"));
    symlinkSync("sub", join(folder, "results/folder"));
    symlinkSync(".", join(folder, "results/loop"));
    symlinkSync("self", join(folder, "results/self"));
    symlinkSync("/nowhere", join(folder, "results/nothing"));
    expect(find(["results/"])).toEqual(["results/sub/a"]);
  });

  it("passes over pipes", async () => {
    write("results/a");
    await makeLocalRunner().run(["mkfifo", join(folder, "results/pipe")], { timeoutMs: 5_000 });
    expect(find(["results/"])).toEqual(["results/a"]);
  });
});

describe("which files are the run's", () => {
  const hourAgoS = Date.now() / 1000 - 3600;

  it("takes what was changed since the start, by content or by place", () => {
    const sinceMs = Date.now();
    write("results/new");
    write("results/copied-with-its-old-time");
    utimesSync(join(folder, "results/copied-with-its-old-time"), hourAgoS, hourAgoS);
    write("moved-here-during-the-run");
    renameSync(join(folder, "moved-here-during-the-run"), join(folder, "results/moved"));
    expect(find(["results/"], sinceMs)).toEqual([
      "results/copied-with-its-old-time",
      "results/moved",
      "results/new",
    ]);
  });

  it("leaves what was there before", () => {
    write("results/old");
    expect(find(["results/"], Date.now() + 1000)).toEqual([]);
  });

  it("allows for a file system that keeps whole seconds", () => {
    write("results/a");
    const second = Math.ceil(Date.now() / 1000) + 10;
    utimesSync(join(folder, "results/a"), second, second);
    expect(find(["results/"], second * 1000 + 999)).toEqual(["results/a"]);
    expect(find(["results/"], second * 1000 + 2001)).toEqual([]);
  });
});
