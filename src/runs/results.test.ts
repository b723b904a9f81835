import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { loadOwnIdentity } from "../process/identity.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import { collectResults, findResults } from "./results.ts";

const temp = useTempFolder();
const runner = makeLocalRunner();
let folder = "";
let into = "";

beforeEach(() => {
  folder = join(realpathSync(temp()), "project");
  into = join(realpathSync(temp()), "home", "runs", "r1");
  mkdirSync(folder);
});

function write(path: string, content: string | Uint8Array = path) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

async function collect(
  options: { globs?: string[]; run?: string; also?: { from: string; name: string }[] } = {},
) {
  const { globs = ["results/"], ...more } = options;
  const found = findResults({ folder, globs, sinceMs: 0 });
  return (await collectResults({ folder, into, results: found, ...more })).results;
}

function hash(content: string | Uint8Array) {
  return createHash("sha256").update(content).digest("hex");
}

/** Everything beside `into`: what a staging folder would have left. */
function listBeside() {
  return existsSync(dirname(into)) ? readdirSync(dirname(into)).filter((name) => name !== "r1") : [];
}

describe("collectResults", () => {
  it("brings files home with sizes, hashes, times and modes, and a list of them", async () => {
    const big = new Uint8Array(3_000_000).map((_, index) => index % 251);
    write("results/model.bin", big);
    write("results/sub/new\nline.txt", "x");
    chmodSync(join(folder, "results/model.bin"), 0o750);
    utimesSync(join(folder, "results/model.bin"), 1e9, 1e9);
    writeFileSync(join(temp(), "the log"), "line\n");
    const files = await collect({ run: "r1", also: [{ from: join(temp(), "the log"), name: "log" }] });
    expect(files).toEqual([
      {
        path: "results/model.bin",
        storedAs: "results/model.bin",
        bytes: 3e6,
        sha256: hash(big),
        changing: false,
      },
      {
        path: "results/sub/new\nline.txt",
        storedAs: "results/sub/new\nline.txt",
        bytes: 1,
        sha256: hash("x"),
        changing: false,
      },
    ]);
    const { mtimeMs, mode } = statSync(join(into, "results/model.bin"));
    expect({ mtimeMs, mode: mode & 0o777 }).toEqual({ mtimeMs: 1e12, mode: 0o750 });
    expect(readFileSync(join(into, "log"), "utf8")).toBe("line\n");
    expect(JSON.parse(readFileSync(join(into, "results.json"), "utf8"))).toEqual({
      schema: 1,
      run: "r1",
      folder,
      results: files,
      also: [{ name: "log", bytes: 5, sha256: hash("line\n"), changing: false }],
      missing: [],
    });
    expect(listBeside()).toEqual([]);
  });

  it("keeps what it brought home before, whatever the files are now", async () => {
    write("results/a", "first");
    const first = await collect({ run: "r1" });
    write("results/a", "second");
    expect(await collect({ run: "r1" })).toEqual(first);
    expect(readFileSync(join(into, "results/a"), "utf8")).toBe("first");
  });

  it("clears up what a killed process left, and nothing that a living one fills", async () => {
    await collect();
    const dead = { ...loadOwnIdentity(), start: "0" };
    const left = { "r1.collecting-dead": dead, "r9.collecting-dead": dead };
    for (const [name, owner] of Object.entries({ ...left, "r1.collecting-living": loadOwnIdentity() })) {
      mkdirSync(join(dirname(into), `.${name}`));
      writeFileSync(join(dirname(into), `.${name}.owner.json`), JSON.stringify(owner));
    }
    await collect();
    expect(listBeside().sort()).toEqual([".r1.collecting-living", ".r1.collecting-living.owner.json"]);
  });

  it("two at once bring the same, and one folder is left", async () => {
    for (let index = 0; index < 20; index += 1) write(`results/${index}`);
    const [one, other] = await Promise.all([collect(), collect()]);
    expect(other).toEqual(one);
    expect(listBeside()).toEqual([]);
  });

  it.each(["another run's results", "a file", "somebody's folder"])("does not touch %s", async (kind) => {
    write("results/a");
    if (kind === "a file") write("../home/runs/r1");
    if (kind === "somebody's folder") write("../home/runs/r1/results.json", "{}");
    if (kind === "another run's results") await collect({ run: "r0" });
    await expect(collect({ run: "r1" })).rejects.toMatchObject({ code: "results_place_taken" });
    expect(listBeside()).toEqual([]);
  });

  it("fills an empty folder that is there", async () => {
    mkdirSync(into, { recursive: true });
    write("results/a");
    expect(await collect()).toMatchObject([{ path: "results/a" }]);
  });

  it("gives absolute results, and names that our own files have, a place of their own", async () => {
    const outside = join(realpathSync(temp()), "outside.txt");
    writeFileSync(outside, "outside");
    for (const path of ["results.json", "log", "from-root/x"]) write(path);
    const also = [{ from: join(folder, "log"), name: "log" }];
    const files = await collect({ globs: [outside, "*.json", "log", "from-root/"], also });
    expect(files.map(({ path, storedAs }) => [path, storedAs])).toEqual([
      [outside, `from-root${outside}`],
      ["from-root/x", "same-name/from-root/x"],
      ["log", "same-name/log"],
      ["results.json", "same-name/results.json"],
    ]);
    for (const { storedAs, sha256 } of files) expect(hash(readFileSync(join(into, storedAs)))).toBe(sha256);
  });

  it("copies names that are not UTF-8 byte for byte", async () => {
    const name = Buffer.concat([Buffer.from("results/"), Buffer.from([0xff, 0xfe])]);
    write("results/a");
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), "odd");
    await collect();
    expect(readFileSync(Buffer.concat([Buffer.from(`${into}/`), name]), "utf8")).toBe("odd");
  });

  it("tells of a file that never stands still, and of one that is gone", async () => {
    write("results/growing", new Uint8Array(8_000_000));
    write("results/gone");
    const results = findResults({ folder, globs: ["results/"], sinceMs: 0 });
    rmSync(join(folder, "results/gone"));
    const writer = setInterval(() => appendFileSync(join(folder, "results/growing"), "more"), 1);
    try {
      const { results: copied, missing } = await collectResults({ folder, into, results });
      const [file, ...others] = copied;
      expect(missing).toEqual(["results/gone"]);
      expect(others).toEqual([]);
      expect(file).toMatchObject({ path: "results/growing", changing: true });
      expect(file?.sha256).toBe(hash(readFileSync(join(into, "results/growing"))));
      expect(JSON.parse(readFileSync(join(into, "results.json"), "utf8")).missing).toEqual(["results/gone"]);
    } finally {
      clearInterval(writer);
    }
  });

  it("says why it cannot write, and that nothing is left", async () => {
    write("results/a");
    write("a file");
    const results = findResults({ folder, globs: ["results/"], sinceMs: 0 });
    const fault = collectResults({ folder, results, into: join(folder, "a file", "r1") });
    await expect(fault).rejects.toMatchObject({
      code: "results_unwritable",
      message: expect.stringMatching(/ENOTDIR.*Nothing was left there\.$/),
    });
  });
});

describe("in a process of its own", () => {
  /** A program that collects `results/`; its end is one line. */
  async function makeProgram() {
    const program = join(temp(), "collect.mjs");
    const source = `
      import { collectResults, findResults } from "./results.ts";
      const [folder, into] = process.argv.slice(2);
      const results = findResults({ folder, globs: ["results/"], sinceMs: 0 });
      try { console.log(JSON.stringify((await collectResults({ folder, into, results })).results)); }
      catch (fault) { console.log(JSON.stringify({ code: fault.code, message: fault.message })); }`;
    const esbuild = join(import.meta.dirname, "../../node_modules/.bin/esbuild");
    const options = ["--bundle", "--platform=node", "--format=esm", `--outfile=${program}`];
    const cwd = import.meta.dirname;
    const { exitCode } = await runner.run([esbuild, ...options], { cwd, stdin: source, timeoutMs: 30_000 });
    expect(exitCode).toBe(0);
    return program;
  }

  it("killed at any point it leaves no half folder, and the next one clears up", async () => {
    const program = await makeProgram();
    for (let index = 0; index < 30; index += 1)
      write(`results/${index}`, new Uint8Array(200_000).fill(index));
    for (const after of [0, 1, 15, 30, 31]) {
      const script = 'node "$1" "$2" "$3" & echo $! > "$4"; wait';
      const pidFile = join(temp(), `pid ${after}`);
      const argv = ["sh", "-c", script, "sh", program, folder, into, pidFile];
      const running = runner.run(argv, { timeoutMs: 30_000 });
      await waitFor(() => countStaged() >= after || existsSync(into), { intervalMs: 1 });
      killIfAlive(Number(readFileSync(pidFile, "utf8")));
      await running;
      if (existsSync(into)) expect(readdirSync(join(into, "results")).length).toBe(30);
      else expect(listBeside().length).toBeGreaterThan(0);
      expect((await collect()).length).toBe(30);
      expect(listBeside()).toEqual([]);
      rmSync(into, { recursive: true });
    }
  });

  function killIfAlive(pid: number) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // it had just ended by itself
    }
  }

  function countStaged(): number {
    try {
      const staging = listBeside().find((name) => existsSync(join(dirname(into), name, "results")));
      return staging ? readdirSync(join(dirname(into), staging, "results")).length : -1;
    } catch {
      return -1; // it was renamed at this moment
    }
  }

  it("out of room it leaves nothing and says so", async () => {
    const program = await makeProgram();
    write("results/big", new Uint8Array(4_000_000));
    const script = 'ulimit -f 2000; exec node "$1" "$2" "$3"';
    const { stdout } = await runner.run(["sh", "-c", script, "sh", program, folder, into], {
      timeoutMs: 30_000,
    });
    expect(JSON.parse(stdout)).toEqual({
      code: "results_unwritable",
      message: expect.stringMatching(/EFBIG.*Nothing was left there\.$/),
    });
    expect(listBeside()).toEqual([]);
    expect(existsSync(into)).toBe(false);
  });
});
