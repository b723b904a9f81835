import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useGitProject } from "../../test/support/git-project.ts";
import type { Runner } from "../process/runner.ts";
import { describeProvenance, loadProvenance } from "./provenance.ts";

const { temp, folder, runner, makeEnv, git, write, makeRepository } = useGitProject();

function record(options: { folder?: string; outputs?: string[]; runner?: Runner } = {}) {
  const objectsDir = join(temp(), "objects");
  const scope = { folder: folder(), objectsDir, outputs: ["results/"], env: makeEnv(), ...options };
  return loadProvenance(options.runner ?? runner, scope);
}

describe("code outside git", () => {
  it("is known by the names, sizes and times of its files", async () => {
    write({ "a.py": "1\n", "sub/b.py": "22\n", "node_modules/x.js": "x", "__pycache__/a.pyc": "x" });
    write({
      "env/pyvenv.cfg": "x",
      "data/gateway.db": "x",
      "data/gateway.db-wal": "x",
      "env/lib.py": "x",
      "results/r.json": "x",
    });
    writeFileSync(Buffer.concat([Buffer.from(`${folder()}/bad`), Buffer.from([0xff])]), "bytes");
    symlinkSync("/nowhere", join(folder(), "link"));
    const first = await record();
    expect(first).toMatchObject({ kind: "files", files: 4, bytes: 2 + 3 + 5 + "/nowhere".length });
    expect(describeProvenance(first)).toBe("not in git: 4 files, 18 B, known by size and time");
    write({ "results/more.json": "x", "node_modules/y.js": "y" });
    expect(await record()).toEqual(first);
    utimesSync(join(folder(), "a.py"), 1, 1);
    expect(await record()).not.toEqual(first);
  });

  it("is not recorded beyond 10,000 files", async () => {
    mkdirSync(folder());
    for (let index = 0; index < 10_000; index += 1) writeFileSync(join(folder(), `${index}`), "");
    expect(await record()).toMatchObject({ kind: "files", files: 10_000 });
    write({ last: "" });
    expect(await record()).toEqual({
      kind: "none",
      reason: "code not recorded: it holds over 10000 files",
    });
  });

  it("is also what lies in a folder that an outer repository ignores", async () => {
    await makeRepository({ ".gitignore": "*\n" });
    write({ "work/a.py": "1\n" });
    expect(await record({ folder: join(folder(), "work") })).toMatchObject({ kind: "files", files: 1 });
  });

  it("is taken so where git is not installed", async () => {
    await makeRepository({ "a.py": "1\n" });
    const env = { ...makeEnv(), PATH: temp() };
    const scope = { folder: folder(), objectsDir: join(temp(), "objects"), outputs: [], env };
    expect(await loadProvenance(runner, scope)).toMatchObject({ kind: "files", files: 1 });
  });
});

describe("code that cannot be recorded", () => {
  it("says that the folder is missing", async () => {
    const provenance = await record({ folder: join(temp(), "missing") });
    expect(provenance).toMatchObject({
      kind: "none",
      reason: expect.stringMatching(/^code not recorded: ENOENT/),
    });
  });

  it("says what git refuses: a repository of another user", async () => {
    await makeRepository({ "a.py": "1\n" });
    const refusing: Runner = {
      host: "test",
      run: (argv, options) =>
        runner.run(argv, { ...options, env: { ...options.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" } }),
    };
    expect(await record({ runner: refusing })).toEqual({
      kind: "none",
      reason:
        "code not recorded: the repository belongs to another user (`git help config` explains safe.directory)",
    });
  });

  it("says that a repository has no files of the project: a bare one, and git's own folder", async () => {
    await makeRepository({ "a.py": "1\n" });
    await git(["clone", "--quiet", "--bare", folder(), join(temp(), "bare")]);
    const reason = "code not recorded: the folder belongs to git itself and holds no files of the project";
    expect(await record({ folder: join(temp(), "bare") })).toEqual({ kind: "none", reason });
    expect(await record({ folder: join(folder(), ".git") })).toEqual({ kind: "none", reason });
  });

  it("gives git's own words for a damaged repository", async () => {
    await makeRepository({ "a.py": "1\n" });
    write({ ".git/index": "no index" });
    const provenance = await record();
    expect(provenance).toMatchObject({ kind: "none", reason: expect.stringContaining("index file") });
    rmSync(join(folder(), ".git"), { recursive: true });
  });
});

it("describes git's record in one line", async () => {
  await makeRepository({ "a.py": "1\n" });
  const commit = (await git(["rev-parse", "HEAD"])).slice(0, 10);
  const tree = (await git(["rev-parse", "HEAD^{tree}"])).slice(0, 10);
  expect(describeProvenance(await record())).toBe(`git ${commit} on main, tree ${tree}`);
  write({ "a.py": "2\n", "key.pem": "secret" });
  expect(describeProvenance(await record())).toMatch(
    new RegExp(
      `^git ${commit} on main with 1 uncommitted change, tree [0-9a-f]{10}; left out: 1 file, 6 B \\(key.pem: looks like a secret\\)$`,
    ),
  );
});
