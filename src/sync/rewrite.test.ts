import { chmodSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useGitRemote } from "../../test/support/git-remote.ts";
import { planGitSync } from "./git-sync/plan-git-sync.ts";
import { loadProvenance } from "./provenance.ts";
import { restoreTree } from "./restore-tree.ts";
import type { Rewrite } from "./rewrite.ts";
import { planSend } from "./send/plan-send.ts";

const { temp, folder, runner, makeEnv, git, write, makePushed } = useGitRemote();
const BYTES = Buffer.from("one\ntwo\r\n# new\n");

const makeRewrite = (path: string): Rewrite => ({
  path: join(realpathSync(folder()), path),
  bytes: BYTES,
});

/** All that is recorded of the code, with a rewrite and, once that is written, without one. */
async function recordBoth(path: string) {
  const record = async (rewrite: Rewrite | null, name: string) => {
    const [common, objectsDir] = [{ env: makeEnv(), rewrite }, join(temp(), name)];
    const provenance = await loadProvenance(runner, { folder: folder(), outputs: [], objectsDir, ...common });
    const sync = await planGitSync(runner, { folder: folder(), ...common });
    const send = await planSend(runner, {
      ...{ source: folder(), results: [], include: [], exclude: [], copies: [], ...common },
    });
    return { provenance, sync: { tree: sync.tree, files: sync.files }, send: [send.hash, send.bytes] };
  };
  const rewrite = makeRewrite(path);
  const before = await record(rewrite, "before");
  writeFileSync(rewrite.path, BYTES);
  return { before, written: await record(rewrite, "again"), after: await record(null, "after") };
}

describe("code with a file as it will be", () => {
  it.each(["clean.py", "staged.py", "new.py", "pkg/tool.py"])(
    "is recorded as it then is: %s",
    async (path) => {
      await makePushed({ "clean.py": "1", "changed.py": "1", "staged.py": "1", "pkg/tool.py": "1" });
      chmodSync(join(folder(), "pkg/tool.py"), 0o755);
      write({ "changed.py": "2", "staged.py": "2", "new.py": "1" });
      await git(["add", "staged.py"]);
      const { before, written, after } = await recordBoth(path);
      expect(before).toEqual(after);
      expect(written).toEqual(after);
      expect(before.sync.files.map((file) => file.path)).toContain(path);
    },
  );

  it("can be had back from the objects that were kept before it was written", async () => {
    await makePushed({ "clean.py": "1" });
    const [objectsDir, into] = [join(temp(), "kept"), join(temp(), "rebuilt")];
    const scope = { folder: folder(), outputs: [], env: makeEnv(), objectsDir };
    const found = await loadProvenance(runner, { ...scope, rewrite: makeRewrite("clean.py") });
    if (found.kind !== "git") throw new Error(found.kind);
    const { root, tree, repositories } = found;
    await restoreTree(runner, { root, objectsDir, tree, into, repositories, env: makeEnv() });
    expect(readFileSync(join(into, "clean.py"))).toEqual(BYTES);
    expect(readFileSync(join(folder(), "clean.py"), "utf8")).toBe("1");
    expect(found.changes).toBe(1);
  });

  it("is as it is where git ignores the file", async () => {
    await makePushed({ "clean.py": "1", ".gitignore": "own.py\n" });
    write({ "own.py": "1" });
    const { before, after } = await recordBoth("own.py");
    expect(before).toEqual(after);
  });

  it("is known without git by the file's content, before and after it is written", async () => {
    write({ "train.py": "1", "other.py": "1" });
    const rewrite = makeRewrite("train.py");
    const record = () =>
      loadProvenance(runner, {
        ...{ folder: folder(), outputs: [], env: makeEnv(), objectsDir: join(temp(), "none"), rewrite },
      });
    const before = await record();
    writeFileSync(rewrite.path, BYTES);
    expect(await record()).toEqual(before);
    write({ "other.py": "22" });
    expect(await record()).not.toEqual(before);
  });
});
