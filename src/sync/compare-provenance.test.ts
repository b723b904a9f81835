import { join } from "node:path";
import { expect, it } from "vitest";
import { useGitProject } from "../../test/support/git-project.ts";
import { compareProvenance } from "./compare-provenance.ts";
import { loadProvenance, type Provenance } from "./provenance.ts";

const { temp, folder, runner, makeEnv, git, write, makeRepository } = useGitProject();

const objectsDir = (side: string) => join(temp(), `side:${side}`);

function record(side: string): Promise<Provenance> {
  return loadProvenance(runner, {
    folder: folder(),
    objectsDir: objectsDir(side),
    outputs: [],
    env: makeEnv(),
  });
}

function compare(before: Provenance, after: Provenance, ownFiles: readonly string[] = []) {
  const objectsDirs = [objectsDir("before"), objectsDir("after")] as const;
  const env = makeEnv("[color]\nui = always\n");
  return compareProvenance(runner, before, after, { objectsDirs, env, ownFiles });
}

it("names the paths that changed, those that are only in the records too", async () => {
  await makeRepository({ "a.py": "1\n", "b c.py": "1\n" });
  write({ "untracked é.py": "1\n" });
  const before = await record("before");
  expect(await compare(before, await record("after"))).toBeNull();
  write({ "untracked é.py": "2\n", "b c.py": "2\n" });
  expect(await compare(before, await record("after"))).toBe("the code changed: b c.py, untracked é.py");
});

it("takes no notice of a file that Sortie itself writes, though git tracks it", async () => {
  await makeRepository({ "a.py": "1\n", "docs/ledger.md": "1\n" });
  const before = await record("before");
  write({ "docs/ledger.md": "2\n" });
  const own = [join(folder(), "docs/ledger.md")];
  expect(await compare(before, await record("after"), own)).toBeNull();
  write({ "a.py": "2\n" });
  expect(await compare(before, await record("after"), own)).toBe("the code changed: a.py");
});

it("names five and counts the rest", async () => {
  await makeRepository({});
  const before = await record("before");
  write(Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`${index}.py`, "x"])));
  expect(await compare(before, await record("after"))).toBe(
    "the code changed: 0.py, 1.py, 2.py, 3.py, 4.py and 3 more",
  );
});

it("finds nothing changed when the same files were committed meanwhile", async () => {
  await makeRepository({ "a.py": "1\n" });
  write({ "a.py": "2\n" });
  const before = await record("before");
  await git(["commit", "--quiet", "-am", "second"]);
  expect(await compare(before, await record("after"))).toBeNull();
});

it("sees a change inside an inner repository, and one that was undone", async () => {
  await makeRepository({ "lib.py": "1\n" }, join(folder(), "inner"));
  await makeRepository({ "a.py": "1\n" });
  const clean = await record("before");
  write({ "inner/lib.py": "2\n" });
  const changed = await record("after");
  expect(await compare(clean, changed)).toBe("the code changed: inner");
  expect(await compare(changed, clean)).toBe("the code changed: inner");
});

it("compares what is not in git by count", async () => {
  const files = { kind: "files", hash: "a", files: 2, bytes: 10 } as const;
  const none = { kind: "none", reason: "code not recorded: x" } as const;
  expect(await compare(files, files)).toBeNull();
  expect(await compare(files, { ...files, hash: "b" })).toBe("files of the code changed");
  expect(await compare(files, { ...files, hash: "b", files: 3 })).toBe(
    "files of the code changed: there were 2, there are 3",
  );
  expect(await compare(none, none)).toBeNull();
  expect(await compare(files, none)).toBe(
    "the code is now recorded in another way (not at all, before by size and time)",
  );
});
