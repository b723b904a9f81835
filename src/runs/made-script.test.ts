import { mkdirSync, realpathSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { findShells, linkTools } from "../../test/support/shells.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import { listMadeHere, type Made, type MadeWish } from "./made-files.ts";
import { makeMadeScript, parseMadeAnswer } from "./made-script.ts";

const temp = useTempFolder();
const SECOND = 1;
/** The moment at which the run of these tests began. */
const BEGAN = 1_700_000_000;
let folder = "";

beforeEach(() => {
  folder = join(realpathSync(temp()), "code");
  mkdirSync(folder);
  put(join(temp(), "pid"), BEGAN + 0.5);
  put(join(temp(), "exit"), BEGAN + 60);
});

function put(path: string | Buffer, seconds: number, content = "x") {
  mkdirSync(path.toString().replace(/\/[^/]*$/, ""), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, seconds, seconds);
}

function makeWish(globs: readonly string[], run = "pid"): MadeWish {
  const pathOf = (name: string) => join(temp(), name);
  const records = { pid: pathOf(run), exit: pathOf("exit") };
  return { folder, globs, run: records, others: [{ pid: pathOf("exit"), exit: pathOf("none") }] };
}

async function ask(shell: string, wish: MadeWish, env = process.env): Promise<Made | null> {
  const chunks: Buffer[] = [];
  await makeLocalRunner().run([...shell.split(" "), "-s"], {
    ...{ stdin: `echo banner\n${makeMadeScript(wish, "t0")}\n`, timeoutMs: 20_000 },
    ...{ env: { ...env, HOME: temp() }, onStdout: (chunk: Buffer) => chunks.push(chunk) },
  });
  return parseMadeAnswer(Buffer.concat(chunks), wish, "t0");
}

/** A tree that holds what is hard about names, times and links. */
function fillFolder() {
  const inFolder = (name: string) => join(folder, name);
  put(inFolder("results/new.json"), BEGAN + SECOND, "12345");
  put(inFolder('results/it\'s a "new"\nline.txt'), BEGAN + SECOND);
  put(inFolder("results/ größe – 尺寸"), BEGAN + SECOND);
  put(Buffer.from(`${inFolder("results/")}\xff\x81\x88\\`, "latin1"), BEGAN + SECOND);
  put(inFolder("results/.git/x"), BEGAN + SECOND);
  put(inFolder("-x/a"), BEGAN + SECOND);
  put(inFolder("elsewhere/new"), BEGAN + SECOND);
  symlinkSync("new.json", inFolder("results/latest"));
  symlinkSync("/etc/hostname", inFolder("results/outside"));
  symlinkSync("nowhere", inFolder("results/dangling"));
  symlinkSync(inFolder("elsewhere"), inFolder("linked"));
}

const GLOBS = ["results/", "-x", "linked/*", "~/far/*.pt", "nothing"];

describe.each(findShells())("the list of what a run made, by %s", (shell) => {
  it("L6 is what this machine would find itself, whatever the names are", async () => {
    fillFolder();
    put(join(temp(), "far/a.pt"), BEGAN + SECOND);
    put(join(temp(), "far/b.txt"), BEGAN + SECOND);
    const made = await ask(shell, makeWish(GLOBS), { ...process.env, LC_ALL: "C" });
    expect(made?.home).toBe(temp());
    const here = await listMadeHere(makeWish(GLOBS.map((glob) => glob.replace("~", temp()))));
    expect(here.files).toHaveLength(8);
    expect({ ...made, home: null }).toEqual({ ...here, ...roundTimes(here, made) });
    expect(made?.span).toEqual({ startMs: BEGAN * 1000 + 500, endMs: (BEGAN + 60) * 1000 });
    expect(made?.others).toEqual([{ startMs: (BEGAN + 60) * 1000, endMs: null }]);
  });

  it("L41 leaves out what is older than the run, by the clock that stamped both", async () => {
    // The clock of this host is far ahead of every file: what was changed in name or rights counts by that.
    const future = Date.now() / 1000 + 3 * 3600;
    put(join(temp(), "late"), future);
    put(join(folder, "results/before"), future - 30);
    put(join(folder, "results/after"), future + 0.01);
    const made = await ask(shell, makeWish(["results"], "late"));
    expect(made?.files.map(({ path }) => path)).toEqual(["results/after"]);
  });

  it("answers for a run that never began, in a folder that is not there", async () => {
    folder = join(folder, "gone");
    expect((await ask(shell, makeWish(["results"], "never")))?.files).toEqual([]);
    expect((await ask(shell, makeWish(["results"])))?.files).toEqual([]);
  });
});

/** Parts of milliseconds are lost in numbers of seconds. */
function roundTimes(here: Made, made: Made | null) {
  const round = (list: Made) =>
    list.files.map((file) => ({ ...file, changedMs: Math.round(file.changedMs) }));
  expect(made && round(made)).toEqual(round(here));
  return { files: made?.files ?? [] };
}

it("finds the same with the tools of a small system, by the time of the contents alone", async () => {
  fillFolder();
  const old = join(folder, "results/old");
  put(old, BEGAN - 100);
  renameSync(old, `${old}.moved`);
  const tools = ["busybox", "sh", "stat", "find", "readlink"];
  const env = { ...process.env, PATH: linkBusybox(join(temp(), "bin"), tools) };
  const paths = (made: Made | null) => made?.files.map(({ path }) => path);
  const few = paths(await ask("busybox sh", makeWish(GLOBS), env));
  const all = paths(await ask("sh", makeWish(GLOBS)));
  expect(all).toContain("results/old.moved");
  expect(few).toEqual(all?.filter((path) => path !== "results/old.moved"));
});

function linkBusybox(bin: string, tools: readonly string[]): string {
  linkTools(bin, ["busybox"]);
  for (const tool of tools.slice(1)) symlinkSync(join(bin, "busybox"), join(bin, tool));
  return bin;
}

it("takes no answer that is cut", () => {
  expect(parseMadeAnswer(Buffer.from("begin=t0\nhome /x\0"), makeWish([]), "t0")).toBeNull();
});
