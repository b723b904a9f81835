import { readdirSync, readFileSync, realpathSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useGitProject } from "../../test/support/git-project.ts";
import { escapeGlob } from "../base/globs.ts";
import { chooseListed, describeLeftOut } from "./left-out.ts";
import { loadProvenance } from "./provenance.ts";
import type { GitProvenance } from "./record-git.ts";
import { restoreTree } from "./restore-tree.ts";

const { temp, folder, runner, makeEnv, git, write, makeRepository, makeExpectedTree } = useGitProject();

async function record(outputs: string[] = [], below = "."): Promise<GitProvenance> {
  const scope = {
    folder: join(folder(), below),
    objectsDir: join(temp(), "objects"),
    outputs,
    env: makeEnv(),
  };
  const provenance = await loadProvenance(runner, scope);
  if (provenance.kind !== "git") throw new Error(JSON.stringify(provenance));
  return provenance;
}

/** A file of that size without content on disk. */
function makeBigFile(path: string, bytes: number) {
  write({ [path]: "" });
  truncateSync(join(folder(), path), bytes);
}

describe("L34 what is not copied is listed", () => {
  it("L34 secrets, big files and special files, with sizes and reasons", async () => {
    await makeRepository({ "a.py": "1\n" });
    write({
      ".env": "KEY=1\n",
      ".env.example": "KEY=\n",
      "deep/id_ed25519": "key",
      ".npmrc": "x:_authToken=1",
    });
    makeBigFile("model.pt", 50_000_001);
    makeBigFile("just-fits.pt", 50_000_000);
    await runner.run(["mkfifo", join(folder(), "a.pipe")], { timeoutMs: 5_000 });
    const provenance = await record();
    expect(provenance.leftOut).toEqual([
      { path: "model.pt", bytes: 50_000_001, reason: "big" },
      { path: ".npmrc", bytes: 14, reason: "secret" },
      { path: ".env", bytes: 6, reason: "secret" },
      { path: "deep/id_ed25519", bytes: 3, reason: "secret" },
    ]);
    expect(provenance.leftOutTotal).toEqual({ files: 4, bytes: 50_000_024 });
    expect(provenance.tree).toBe(await makeExpectedTree([".env", "deep/id_ed25519", ".npmrc", "model.pt"]));
  });

  it("L34 all beyond 500 MB, the largest files first", async () => {
    await makeRepository({ "a.py": "1\n" });
    for (let size = 42; size <= 50; size += 1) makeBigFile(`part-${size}`, size * 1_000_000);
    for (let size = 42; size <= 44; size += 1) makeBigFile(`other-${size}`, size * 1_000_000);
    const provenance = await record();
    expect(provenance.leftOut).toEqual([{ path: "part-50", bytes: 50_000_000, reason: "total" }]);
  });

  it("a tracked file, unchanged, stays whatever its name and size; a changed one is left out whole", async () => {
    makeBigFile("kept.bin", 50_000_001);
    makeBigFile("changed.bin", 50_000_001);
    await makeRepository({ "certs/ca.pem": "public", "certs/own.pem": "1" });
    write({ "certs/own.pem": "2" });
    makeBigFile("changed.bin", 50_000_002);
    const provenance = await record();
    expect(provenance.leftOut.map(({ path }) => path)).toEqual(["changed.bin", "certs/own.pem"]);
    expect(provenance.tree).toBe(await makeExpectedTree(["changed.bin", "certs/own.pem"]));
  });

  it("a secret that is staged is not copied", async () => {
    await makeRepository({ "a.py": "1\n" });
    write({ ".env": "KEY=sentinel\n", "b.py": "1\n" });
    await git(["add", "-A"]);
    const blob = await git(["hash-object", ".env"]);
    const { tree } = await record();
    expect(tree).toBe(await makeExpectedTree([".env"]));
    const kept = { cwd: folder(), env: { ...makeEnv(), GIT_OBJECT_DIRECTORY: join(temp(), "objects") } };
    await expect(git(["cat-file", "-e", tree], kept)).resolves.toBe("");
    await expect(git(["cat-file", "-e", blob], kept)).rejects.toThrow();
  });

  it("untracked results of the run are no code; tracked ones are", async () => {
    await makeRepository({ "work/train.py": "1\n", "work/results/tracked.json": "1" });
    const before = await record(["results/", "*.log"], "work");
    write({ "work/results/new.json": "2", "work/run.log": "log", "run.log": "code of the outer folder" });
    const after = await record(["results/", "*.log", join(folder(), "run.log")], "work");
    expect(after.tree).toBe(before.tree);
    expect(after.leftOut.map(({ reason }) => reason)).toEqual(["output", "output", "output"]);
    write({ "work/results/tracked.json": "2" });
    expect((await record(["results/", "*.log"], "work")).tree).not.toBe(before.tree);
  });

  it("a folder of Sortie's own is no code, wherever it lies", async () => {
    await makeRepository({ "a.py": "1\n" });
    const name = `home {of} [s]! (it's) "1"`;
    write({ [`${name}/sortie.db`]: "1", [`${name}/jobs/r1/log`]: "1" });
    expect(await record([escapeGlob(realpathSync(join(folder(), name)))])).toMatchObject({
      changes: 0,
      tree: await git(["rev-parse", "HEAD^{tree}"]),
    });
  });

  it("what programs make is no code: bytecode, environments and a gateway's data under any name, W&B's files", async () => {
    await makeRepository({ "a.py": "1\n" });
    const before = await record();
    write({
      "__pycache__/a.cpython-311.pyc": "x",
      "my env/pyvenv.cfg": "home = /usr",
      "my env/lib/site.py": "x",
      "wandb/run-20240101_000000-abc/files/config.yaml": "x",
      "node_modules/p/index.js": "x",
      "data/gateway.db": "x",
      "data/recordings/1.rec": "x",
    });
    expect((await record()).tree).toBe(before.tree);
    write({ "integrations/wandb/logger.py": "code" });
    expect((await record()).tree).not.toBe(before.tree);
  });
});

describe("L34 repositories inside the repository", () => {
  it("L34 uncommitted work in a submodule and in a clone that lies there is recorded as well", async () => {
    const library = join(temp(), "library");
    await makeRepository({ "lib.py": "1\n" }, library);
    await makeRepository({ "a.py": "1\n" });
    await git(["submodule", "--quiet", "add", library, "sub"]);
    await git(["commit", "--quiet", "-am", "submodule"]);
    await git(["clone", "--quiet", library, "clone"]);
    await git(["init", "--quiet", "unborn"]);
    write({ "sub/lib.py": "2\n", "sub/.env": "secret", "clone/new.py": "new\n", "unborn/x.py": "x\n" });
    const provenance = await record();
    expect(provenance.tree).toBe(await makeExpectedTree(["unborn"]));
    expect(provenance.leftOut).toEqual([{ path: "sub/.env", bytes: 6, reason: "secret" }]);
    expect(provenance.repositories).toMatchObject([
      { path: "sub", problem: null },
      { path: "clone", problem: null },
      { path: "unborn", commit: null, problem: null },
    ]);
    const into = join(temp(), "rebuilt");
    await restoreTree(runner, { ...provenance, objectsDir: join(temp(), "objects"), into, env: makeEnv() });
    expect(readdirSync(into, { recursive: true }).sort()).toEqual(
      [".gitmodules", "a.py", "clone", "clone/lib.py", "clone/new.py", "sub", "sub/lib.py"].concat(
        "unborn",
        "unborn/x.py",
      ),
    );
    expect(readFileSync(join(into, "sub/lib.py"), "utf8")).toBe("2\n");
  });
});

it("news comes before results, the largest first, 200 at most", () => {
  const outputs = Array.from({ length: 300 }, (_, index) => ({
    path: `o${index}`,
    bytes: 1e9 + index,
    reason: "output" as const,
  }));
  const listed = chooseListed([...outputs, { path: "k.pem", bytes: 1, reason: "secret" }]);
  expect(listed.length).toBe(200);
  expect(listed.slice(0, 2).map(({ path }) => path)).toEqual(["k.pem", "o299"]);
  expect(describeLeftOut(listed)).toBe("1 file, 1 B (k.pem: looks like a secret)");
  expect(describeLeftOut(outputs)).toBeNull();
});
