import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { withoutRootPower } from "./support/root-power.ts";
import { SORTIE, useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const file = () => join(sortie.project(), "AGENTS.md");
const ENDS = ["succeeded", "failed", "stopped", "lost"];
const listRuns = async () => (await sortie.ask(["ls"])).runs;

describe("an AGENTS.md that cannot be used", () => {
  const kinds: readonly (readonly [string, () => void, RegExp])[] = [
    ["is not there", () => undefined, /no AGENTS\.md or CLAUDE\.md/],
    ["is a folder", () => void mkdirSync(file()), /no AGENTS\.md or CLAUDE\.md/],
    ["is a pipe", () => void execFileSync("mkfifo", [file()]), /no AGENTS\.md or CLAUDE\.md/],
    ["is huge", () => writeFileSync(file(), "# a\n".repeat(300_000)), /larger than 1 MiB/],
    ["has too many lines", () => writeFileSync(file(), "\n".repeat(30_000)), /30000 lines/],
    ["is not UTF-8", () => writeFileSync(file(), Buffer.from([0xff, 0xfe, 0x41])), /not UTF-8/],
    ["holds NUL bytes", () => writeFileSync(file(), "## Local Environment\n\0"), /NUL/],
  ];

  it.each(kinds)(
    "%s: that is said, nothing is launched, and this machine can still be named",
    async (kind, make, why) => {
      make();
      const refused = await sortie.ask(["run", "--yes", "--", "true"]);
      expect(refused).toMatchObject({ exitCode: 2, error: { retryable: false } });
      expect(refused.error.message).toMatch(why);
      expect(refused.error.hint).toContain("--target local");
      expect(await listRuns()).toEqual([]);
      const targets = await sortie.ask(["targets"]);
      expect([...targets.errors, ...targets.warnings].length).toBe(kind === "is not there" ? 0 : 1);
      expect(await sortie.ask(["run", "--target", "local", "--yes", "--", "true"])).toMatchObject({
        exitCode: 0,
        run: { state: "succeeded" },
      });
    },
  );

  it("may not be read: that is said", async () => {
    writeFileSync(file(), "## Local Environment\n- gpu: local\n", { mode: 0o000 });
    const outcome = await sortie.runner.run(
      withoutRootPower([process.execPath, SORTIE, "run", "--yes", "--", "true"]),
      { env: sortie.makeEnv(), cwd: sortie.project(), timeoutMs: 20_000 },
    );
    expect(outcome).toMatchObject({ exitCode: 2, stdout: "" });
    expect(outcome.stderr).toMatch(/AGENTS\.md cannot be read: permission denied\.\n.*--target local/);
  });
});

it("a home that may not be written to is said before a password is sent", async () => {
  const home = join(sortie.temp(), "read-only home");
  mkdirSync(home, { mode: 0o555 });
  const env = sortie.makeEnv({ HOME: home, CHALLENGE_EMAIL: "a@example.org", CHALLENGE_PASSWORD: "p" });
  const login = ["challenge", "login", "--base-url", "http://127.0.0.1:1"];
  const { exitCode, stderr } = await sortie.runner.run(
    withoutRootPower([process.execPath, SORTIE, ...login]),
    { env, cwd: sortie.project(), timeoutMs: 20_000 },
  );
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/challenge\.env cannot be changed: its folder cannot be written to/);
});

describe("a command that cannot be run", () => {
  it.each([
    [["no-such-program-at-all"], 127],
    [["./not-executable"], 126],
    [["/"], 126],
  ])("%j: the run has failed with the shell's own code, and its log says why", async (command, exitCode) => {
    writeFileSync(join(sortie.project(), "not-executable"), "echo no\n", { mode: 0o644 });
    const answer = await sortie.ask(["run", "--target", "local", "--yes", "--detach", "--", ...command]);
    expect(answer).toMatchObject({ exitCode: 1, run: { state: "failed", endReason: "exited", exitCode } });
    expect(readFileSync(answer.run.log, "utf8")).toMatch(/not found|ermission denied|directory/);
  });

  it("has an argument whose bytes are not UTF-8: exit 2, for it would not arrive as it is", async () => {
    const line = `"$1" "$2" run --target local --yes --json -- printf %s "$(printf 'a\\377b')"`;
    const outcome = await sortie.runner.run(["sh", "-c", line, "sh", process.execPath, SORTIE], {
      env: sortie.makeEnv(),
      cwd: sortie.project(),
      timeoutMs: 60_000,
    });
    expect(outcome.exitCode).toBe(2);
    expect(JSON.parse(outcome.stdout).error.message).toContain("not UTF-8");
    const typed = await sortie.ask(["run", "--target", "local", "--yes", "--", "printf", "%s", "a\ufffdb"]);
    expect(readFileSync(typed.run.log, "utf8")).toBe("a\ufffdb");
  });

  it("is missing altogether: exit 2", async () => {
    for (const args of [["run"], ["run", "--target", "local", "--yes", "--"], ["run", "--yes", "--", ""]])
      expect(await sortie.ask(args)).toMatchObject({ exitCode: 2, error: { code: "command_missing" } });
  });
});

describe("L1 arguments", () => {
  const odd = [
    "it's",
    'a "b"',
    "$HOME",
    "`id`",
    "$(id)",
    "; exit 9",
    "two\nlines",
    "return\rhere",
    "tab\there",
    "🚀 ü e\u0301",
    "",
    " ",
    "-n",
    "--",
    "--yes",
    "--json",
    "--help",
    "\\",
    "\\\\n",
    "*",
    "~",
    "!!",
    "%s",
    "a=b",
    "'",
    "''\\''",
    "#no",
    "\u001b[31m",
    "x".repeat(100_000),
  ];
  const script = "import json, os, sys\njson.dump([sys.argv[1:], os.getcwd()], open('got.json', 'w'))\n";
  const python = "/usr/bin/python3";
  const readGot = (folder: string) => JSON.parse(readFileSync(join(folder, "got.json"), "utf8"));

  it("L1 reach the program byte for byte, from the command line on, also by confirm and rerun", async () => {
    const name = `my train's "v2".py`;
    writeFileSync(join(sortie.project(), name), script);
    const planned = await sortie.ask(["run", "--target", "local", "--", python, name, ...odd]);
    expect(planned).toMatchObject({
      exitCode: 3,
      plan: { terms: { request: { command: [python, name, ...odd] } } },
    });
    const confirmed = await sortie.ask(["confirm", planned.plan.id]);
    expect(confirmed).toMatchObject({ exitCode: 0, run: { state: "succeeded" } });
    expect(readGot(sortie.project())[0]).toEqual(odd);
    rmSync(join(sortie.project(), "got.json"));
    expect(await sortie.ask(["rerun", confirmed.run.id, "--yes"])).toMatchObject({ exitCode: 0 });
    expect(readGot(sortie.project())[0]).toEqual(odd);
    for (const args of [["ls"], ["show", confirmed.run.name]]) {
      const { stdout } = await sortie.run(args);
      expect(stdout).not.toContain("\u001b[31m");
      expect(stdout).not.toContain("\r");
    }
  });

  it.each(["with spaces", `it's "quoted"`, "$HOME `id` *", "-n", "two\nlines", "🚀"])(
    "L1 a folder called %j is where the program starts, and where its results are found",
    async (name) => {
      const folder = join(sortie.project(), name);
      mkdirSync(folder);
      writeFileSync(
        join(folder, "train.py"),
        `${script}os.mkdir('results'); open('results/a b', 'w').write('1')\n`,
      );
      const flags = ["--target", "local", "--yes", `--cwd=${name}`];
      const { exitCode, run } = await sortie.ask(["run", ...flags, "--", python, "train.py", name]);
      expect({ exitCode, run }).toMatchObject({ exitCode: 0, run: { state: "succeeded" } });
      expect(readGot(folder)).toEqual([[name], folder]);
      expect((await sortie.show(run.id)).results).toMatchObject([{ path: "results/a b", bytes: 1 }]);
    },
  );
});

it("looks past a job folder that somebody broke", async () => {
  const hold = ["sh", "-c", "while [ ! -e go ]; do sleep 0.05; done"];
  const ways: readonly ((folder: string) => void)[] = [
    (folder) => rmSync(folder, { recursive: true }),
    (folder) => {
      rmSync(join(folder, "log"));
      mkdirSync(join(folder, "log"));
    },
    (folder) => writeFileSync(join(folder, "pid"), "\u0000\u00ff = \n=\nsupervisor=x y\n"),
    (folder) => writeFileSync(join(folder, "pid"), ""),
    (folder) => {
      rmSync(join(folder, "pid"));
      mkdirSync(join(folder, "pid"));
    },
    (folder) => writeFileSync(join(folder, "exit"), "code=\nreason=no such reason\n"),
  ];
  const launched = await Promise.all([...ways, null].map(() => sortie.launch(hold)));
  for (const [place, breakFolder] of ways.entries()) breakFolder(launched[place].jobFolder);
  const whole = launched.at(-1);
  writeFileSync(join(sortie.project(), "go"), "");
  expect(await sortie.waitForState(whole.id, ["succeeded"])).toMatchObject({ exitCode: 0 });
  const { exitCode, runs } = await sortie.ask(["ls"]);
  expect({ exitCode, runs: runs.length }).toEqual({ exitCode: 0, runs: ways.length + 1 });
  for (const { id } of runs) expect(await sortie.waitForState(id, ENDS)).toMatchObject({ reachable: true });
});

it("refuses a folder that is not there, or is none, before anything is done", async () => {
  writeFileSync(join(sortie.project(), "a file"), "");
  for (const folder of ["missing", "a file", "a file/below"]) {
    const answer = await sortie.ask(["run", "--target", "local", "--yes", "--cwd", folder, "--", "true"]);
    expect(answer).toMatchObject({ exitCode: 2, error: { code: "folder_missing" } });
  }
  expect(await listRuns()).toEqual([]);
});

it("no command, or none of that name, is a mistake: two lines, and with --json a document", async () => {
  for (const args of [[], ["ls"]]) {
    const { exitCode, stdout, stderr } = await sortie.run(["--json", ...args]);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 1, error: { code: "usage" } });
    expect(stderr).toBe(
      "error: The command comes first: --json stands where it should.\n`sortie --help` shows what it takes.\n",
    );
  }
  expect((await sortie.run(["bogus"])).stderr).toContain("There is no command bogus.\n`sortie --help`");
  expect((await sortie.run(["lgos"])).stderr).toContain("did you mean logs?\n`sortie logs --help`");
});

it("adopt refuses a folder that is not there", async () => {
  writeFileSync(join(sortie.project(), "a file"), "");
  for (const folder of ["nowhere", "a file"])
    expect(await sortie.ask(["adopt", "--job-dir", folder])).toMatchObject({
      exit: 2,
      error: { code: "value_bad", message: expect.stringContaining("there is no such folder") },
    });
});

it("a checkout that is not built names the command that builds it, whatever its folder is called", () => {
  const checkout = join(sortie.project(), "ann's checkout");
  cpSync(dirname(SORTIE), join(checkout, "bin"), { recursive: true });
  const called = spawnSync(join(checkout, "bin", "sortie"), ["ls"], { encoding: "utf8" });
  expect(called.status).toBe(5);
  const [, enter = ""] = /^build it with: (cd .*) && npm ci && npm run build$/m.exec(called.stderr) ?? [];
  expect(execFileSync("sh", ["-c", `${enter} && pwd -P`], { encoding: "utf8" }).trim()).toBe(
    realpathSync(checkout),
  );
});
