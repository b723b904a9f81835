import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { findShells, linkTools } from "../../../test/support/shells.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { quoteShell } from "../../base/quote.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { makeManifest } from "./manifest.ts";
import { planSend } from "./plan-send.ts";
import { makePathList } from "./send-list.ts";
import { checkSentFunctions, readSentCheck, type SentCheck } from "./sent-check.ts";

const folder = useTempFolder();
const runner = makeLocalRunner();
const project = () => join(folder(), "project");
const manifest = () => join(folder(), "manifest");

const FILES = ["a.py", "sub/b.py", " -c: FAILED", "ü", "back\\slash", "new\nline", "carriage\rreturn", "#x"];

beforeEach(async () => {
  mkdirSync(join(project(), "sub"), { recursive: true });
  for (const path of FILES) writeFileSync(join(project(), path), `this is ${path}\n`);
  writeFileSync(Buffer.concat([Buffer.from(`${project()}/latin-`), Buffer.from([0xe9])]), "1");
  writeFileSync(join(project(), "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(project(), "odd\\run"), "#!/bin/sh\n", { mode: 0o755 });
  symlinkSync("sub/b.py", join(project(), "link"));
  symlinkSync("nowhere\n", join(project(), "odd\nlink"));
  writeFileSync(manifest(), await makeProjectManifest());
});

function planProject() {
  const none = { results: [], include: [], exclude: [], copies: [] };
  return planSend(runner, { source: project(), env: process.env, ...none });
}

async function makeProjectManifest(): Promise<Buffer> {
  return makeManifest(await planProject());
}

interface CheckOptions {
  readonly shell?: string;
  readonly at?: string;
  readonly path?: string;
}

async function check({ shell = "sh", at = project(), path }: CheckOptions = {}): Promise<SentCheck> {
  const outcome = await runner.run([...shell.split(" "), "-s"], {
    stdin: `${checkSentFunctions}\n${path === undefined ? "" : `PATH=${quoteShell(path)}\n`}sortie_check_sent ${quoteShell(at)} ${quoteShell(manifest())} && echo all=fine\n`,
    timeoutMs: 20_000,
  });
  expect(outcome.stderr).toBe("");
  const pairs = outcome.stdout.split("\n").map((line) => {
    const end = line.indexOf("=");
    return [line.slice(0, end), line.slice(end + 1)] as const;
  });
  const answer = readSentCheck(pairs);
  expect(outcome.stdout.includes("all=fine")).toBe(answer.unchecked === null && answer.faults === 0);
  return answer;
}

const FINE = { unchecked: null, faults: 0, missing: [], different: [] };

/** The programs of busybox, as a whole PATH. */
async function makeBusybox(): Promise<string> {
  const place = linkTools(join(folder(), "busybox"), ["busybox"]);
  for (const name of ["sha256sum", "sed", "sort", "grep", "readlink"])
    symlinkSync("busybox", join(place, name));
  return place;
}

const OTHERS = ["sed", "sort", "grep", "readlink"];

describe.each(findShells())("what was sent, checked by %s", (shell) => {
  it("is there, also with odd names", async () => {
    expect(await check({ shell })).toEqual(FINE);
  });

  it("is missing or different", async () => {
    const inProject = (path: string) => join(project(), path);
    rmSync(inProject("a.py"));
    writeFileSync(inProject("sub/b.py"), "other");
    rmSync(inProject("new\nline"));
    writeFileSync(inProject("odd\\run"), "other");
    chmodSync(inProject("odd\\run"), 0o644);
    rmSync(inProject("link"));
    symlinkSync("sub", inProject("link"));
    expect(await check({ shell })).toEqual({
      ...{ unchecked: null, faults: 5, missing: ["a.py", "new\\nline"] },
      different: ["link", "odd\\\\run", "sub/b.py"],
    });
    renameSync(inProject("run.sh"), inProject("moved.sh"));
    writeFileSync(inProject("run.sh"), "#!/bin/sh\n");
    rmSync(inProject("odd\nlink"));
    expect(await check({ shell })).toMatchObject({
      faults: 7,
      missing: ["a.py", "new\\nline", "odd\\nlink"],
    });
  });
});

it("is there after rsync was told the list of paths", async () => {
  writeFileSync(join(folder(), "list"), makePathList(await planProject()));
  writeFileSync(join(project(), "later.py"), "1");
  const lists = ["--from0", `--files-from=${join(folder(), "list")}`];
  const argv = ["rsync", "-rlpt", ...lists, `${project()}/`, `${join(folder(), "host")}/`];
  expect(await runner.run(argv, { timeoutMs: 20_000 })).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await check({ at: join(folder(), "host") })).toEqual(FINE);
  expect(existsSync(join(folder(), "host", "later.py"))).toBe(false);
});

describe("the programs of the host", () => {
  it("may be shasum, or those of busybox", async () => {
    const shasum = linkTools(join(folder(), "perl"), ["shasum", "perl", ...OTHERS]);
    const busybox = await makeBusybox();
    for (const path of [shasum, busybox]) expect(await check({ shell: "busybox sh", path })).toEqual(FINE);
    rmSync(join(project(), "a.py"));
    writeFileSync(join(project(), "new\nline"), "other");
    for (const path of [shasum, busybox]) {
      const expected = { unchecked: null, faults: 2, missing: ["a.py"], different: ["new\\nline"] };
      expect(await check({ path })).toEqual(expected);
    }
  });

  it("may be missing or broken, and the folder too: then nothing is said to be fine", async () => {
    const without = linkTools(join(folder(), "without"), OTHERS);
    expect(await check({ path: without })).toMatchObject({ unchecked: "no_tool" });
    writeFileSync(join(without, "sha256sum"), "#!/bin/sh\nkill -9 $$\n", { mode: 0o755 });
    expect(await check({ path: without })).toMatchObject({ unchecked: "tool_failed" });
    expect(await check({ at: join(folder(), "none") })).toMatchObject({ unchecked: "no_folder" });
    rmSync(manifest());
    expect(await check()).toMatchObject({ unchecked: "no_manifest" });
    expect(readSentCheck([])).toMatchObject({ unchecked: "tool_failed" });
  });

  it("read the manifest themselves, and an empty one is fine", async () => {
    const options = { cwd: project(), timeoutMs: 20_000 };
    expect(await runner.run(["sha256sum", "--strict", "-c", manifest()], options)).toMatchObject({
      exitCode: 0,
    });
    for (const path of ["carriage\rreturn"]) rmSync(join(project(), path));
    writeFileSync(manifest(), await makeProjectManifest());
    expect(await runner.run(["shasum", "-a", "256", "-c", manifest()], options)).toMatchObject({
      exitCode: 0,
    });
    writeFileSync(manifest(), "");
    expect(await check()).toEqual(FINE);
  });
});
