import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SORTIE, useSortie } from "../support/sortie.ts";
import { useSshd } from "../support/sshd.ts";
import { waitFor } from "../support/wait-for.ts";

const sortie = useSortie();
const sshd = useSshd();
const MB = 1_000_000;

beforeEach(() => {
  const section = "## Remote Server\n- SSH: `ssh box`\n- Code dir: `~/code`\n";
  writeFileSync(join(sortie.project(), "AGENTS.md"), section);
  writeScript("# nothing");
});

const withSsh = () => ({ env: { HOME: sshd().personHome } });
const codeDir = () => join(sshd().hostHome, "code");
const ask = (...args: string[]) => sortie.ask(args, withSsh());
const homeOf = (id: string) => join(sortie.home(), "runs", id);
const isHome = (id: string) => existsSync(join(homeOf(id), "results.json"));

/** What the runs of these tests do, as a file of the project. */
function writeScript(lines: string) {
  writeFileSync(join(sortie.project(), "work.sh"), `${lines}\n`);
}

async function launch(lines: string, flags: readonly string[] = []) {
  writeScript(lines);
  const command = ["run", "--yes", "--detach", "--gpus", "none", ...flags, "--", "sh", "work.sh"];
  const document = await ask(...command);
  if (!document.run) throw new Error(JSON.stringify(document));
  return document.run;
}

/** The connection is gone, and no other can be made. */
function goOffline() {
  sshd().proxy.onDial("reset");
  sshd().proxy.cut();
}

const goOnline = () => sshd().proxy.onDial("pass");

afterEach(goOnline);

/** The mirror of a run's log. */
const mirrorOf = (id: string) => join(sortie.home(), "mirror", id, "log");
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

describe("what a run made on its host", () => {
  it("L6 comes home byte for byte from a host in locale C, and its log too", async () => {
    writeFileSync(join(sshd().hostHome, ".bashrc"), "export LC_ALL=C\n");
    const run = await launch(
      [
        "mkdir -p 'results/größe – 尺寸'",
        "printf 'bad \\377\\201 name' >\"results/größe – 尺寸/$(printf 'x\\377\\201y')\"",
        "printf 'two\\nlines' >\"results/$(printf 'a\\nb')\"",
        "printf 'log: größe \\377\\000\\033[31m\\r'",
        "locale 2>/dev/null | head -1 >results/locale",
      ].join("\n"),
    );
    expect(await ask("wait", run.id)).toMatchObject({ exit: 0, state: "succeeded" });
    const shown = await ask("collect", run.id);
    expect(shown.results).toHaveLength(3);
    const folder = Buffer.from(join(shown.resultsFolder, "results/größe – 尺寸/"));
    const name = Buffer.concat([folder, Buffer.from("x\xff\x81y", "latin1")]);
    expect(readFileSync(name, "latin1")).toBe("bad \xff\x81 name");
    expect(readFileSync(join(shown.resultsFolder, "results/a\nb"), "utf8")).toBe("two\nlines");
    const log = Buffer.concat([
      Buffer.from("log: größe "),
      Buffer.from([0xff, 0, 0x1b]),
      Buffer.from("[31m\r"),
    ]);
    expect(readFileSync(join(shown.resultsFolder, "log"))).toEqual(log);
    const listed = JSON.parse(readFileSync(join(shown.resultsFolder, "results.json"), "utf8"));
    expect(listed).toMatchObject({ run: run.id, folder: realpathSync(codeDir()), missing: [] });
  });

  it("L33 a later run deletes nothing there, and takes none of it for its own", async () => {
    const first = await launch(
      "mkdir -p results checkpoints; echo 1 >results/first; echo w >checkpoints/w.pt",
    );
    await ask("wait", first.id);
    writeFileSync(join(codeDir(), "notes of mine.txt"), "of the host");
    const second = await launch("echo 2 >results/second");
    const ended = await ask("wait", second.id);
    expect(ended.results.map((file: { path: string }) => file.path)).toEqual(["results/second"]);
    expect(readdirSync(join(codeDir(), "results"))).toEqual(expect.arrayContaining(["first", "second"]));
    for (const name of ["checkpoints/w.pt", "notes of mine.txt"])
      expect(existsSync(join(codeDir(), name)), name).toBe(true);
  });

  it("comes from a copy of the code, from outside, and from a folder that two runs share", async () => {
    const script = (mark: string) =>
      `mkdir -p results ~/out; echo ${mark} >results/${mark}; echo x >~/out/${mark}.txt; until [ -e ${codeDir()}/both ]; do sleep 0.1; done`;
    const globs = ["results/", "~/out/*.txt"].flatMap((glob) => ["--results", glob]);
    const frozen = await launch(script("frozen"), ["--freeze", ...globs]);
    const one = await launch(script("one"), globs);
    const two = await launch(script("two"), globs);
    await waitFor(() => existsSync(join(sshd().hostHome, "out/two.txt")), { what: "the last file" });
    writeFileSync(join(codeDir(), "both"), "");
    for (const { id } of [frozen, one, two]) await ask("wait", id);
    const listOf = async (id: string) => {
      const { results } = await ask("collect", id);
      return results.map(({ path, shared }: { path: string; shared: boolean }) => [path, shared]);
    };
    const out = (mark: string) => join(sshd().hostHome, `out/${mark}.txt`);
    expect(await listOf(frozen.id)).toContainEqual(["results/frozen", false]);
    expect(existsSync(join(codeDir(), "results/frozen"))).toBe(false);
    expect(await listOf(one.id)).toEqual(
      expect.arrayContaining([
        ["results/one", false],
        ["results/two", true],
        [out("two"), true],
      ]),
    );
    expect(await listOf(two.id)).toContainEqual(["results/two", true]);
  });

  it("goes on coming where it was cut, and is not sent twice", async () => {
    const run = await launch(
      "mkdir -p results; head -c 18000000 /dev/urandom >results/big; until [ -e go ]; do sleep 0.1; done",
    );
    await waitFor(() => sizeOf(mirrorOf(run.id).replace(/log$/, "samples.csv")) > 0, { what: "the watcher" });
    const before = sshd().proxy.passed.down;
    sshd().proxy.cutAfter("down", 14 * MB);
    writeFileSync(join(codeDir(), "go"), "");
    const ended = await ask("wait", run.id);
    await waitFor(() => isHome(run.id), { what: "results at home", timeoutMs: 20_000 });
    // All of it and what was on its way when it was cut; from the start again it would be 32 MB.
    expect(sshd().proxy.passed.down - before).toBeLessThan(27 * MB);
    const { results, collectFault } = await ask("collect", run.id);
    expect({ state: ended.state, collectFault }).toEqual({ state: "succeeded", collectFault: null });
    expect(results).toMatchObject([{ path: "results/big", bytes: 18 * MB, shared: false }]);
    const home = readFileSync(join(homeOf(run.id), "results/big"));
    expect(home.equals(readFileSync(join(codeDir(), "results/big")))).toBe(true);
    await waitFor(() => readdirSync(join(sortie.home(), "fetch")).length === 0, { what: "no leftovers" });
  });
});

describe("a laptop without its network", () => {
  it("L40 from just after the launch to the end: the run's own end, exit code and whole log", async () => {
    const run = await launch(
      "mkdir -p results; echo begun; until [ -e go1 ]; do sleep 0.1; done; seq 1000; echo $(date -u +%s) >results/end; exit 7",
    );
    await waitFor(() => sizeOf(mirrorOf(run.id)) > 0, { what: "the mirror" });
    goOffline();
    writeFileSync(join(codeDir(), "go1"), "");
    await waitFor(() => existsSync(join(run.jobFolder, "exit")), { what: "the end on the host" });
    const ended = readFileSync(join(run.jobFolder, "exit"), "utf8");

    const offline = await sortie.run(["logs", run.id], withSsh());
    expect(offline).toMatchObject({ exitCode: 0, stdout: "begun\n" });
    expect(offline.stderr).toMatch(
      /^box does not answer \(not seen for .*\): this is what had come of the log/m,
    );
    expect((await ask("show", run.id)).state).toBe("running");

    goOnline();
    const back = await ask("wait", run.id);
    expect(back).toMatchObject({ exit: 1, state: "failed", exitCode: 7, endReason: "exited" });
    expect(back.endedAt).toBe(/ended_at=(.*)/.exec(ended)?.[1]);
    const log = readFileSync(join(back.resultsFolder, "log"), "utf8");
    expect(log.split("\n")).toHaveLength(1 + 1000 + 1);
    await waitFor(() => !existsSync(mirrorOf(run.id)), { what: "the end of the mirror" });
    goOffline();
    const home = await sortie.run(["logs", "-n", "1", run.id], withSsh());
    expect(home).toMatchObject({ exitCode: 0, stdout: "1000\n", stderr: "" });
    goOnline();
  });

  it("follows on where the network comes back, and says so once", async () => {
    const run = await launch("echo one; until [ -e go2 ]; do sleep 0.1; done; echo two");
    const said = join(sortie.temp(), "said");
    const argv = ["sh", "-c", 'exec "$@" 2>"$SAID"', "sh", process.execPath, SORTIE, "logs", "-f", run.id];
    const env = sortie.makeEnv({ ...withSsh().env, SAID: said });
    let shown = "";
    const onStdout = (chunk: Buffer) => (shown += chunk);
    const follow = sortie.runner.run(argv, { env, timeoutMs: 60_000, onStdout });
    await waitFor(() => shown === "one\n", { what: "the first line" });
    goOffline();
    writeFileSync(join(codeDir(), "go2"), "");
    await waitFor(() => existsSync(join(run.jobFolder, "exit")), { what: "the end on the host" });
    await waitFor(() => sizeOf(said) > 0, { what: "a word about it", timeoutMs: 20_000 });
    goOnline();
    const { exitCode, stdout } = await follow;
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "one\ntwo\n" });
    expect(readFileSync(said, "utf8")).toMatch(/^box does not answer now\..*\n$/);
  });
});

it("L41 times and what is new are those of a host whose clock is three hours behind", async () => {
  const bin = join(sshd().hostHome, "slow clock");
  mkdirSync(bin);
  writeFileSync(join(bin, "date"), "#!/bin/sh\nexec /bin/date -d '-3 hours' \"$@\"\n", { mode: 0o755 });
  writeFileSync(join(sshd().hostHome, ".bashrc"), `PATH="$HOME/slow clock:$PATH"\n`);
  const run = await launch(
    "mkdir -p results; echo x >results/x; sleep 1; until [ -e go4 ]; do sleep 0.1; done",
  );
  const list = await sortie.run(["ls"], withSsh());
  expect(list.stdout).toMatch(/ running +\d+ s /);
  writeFileSync(join(codeDir(), "go4"), "");
  const ended = await ask("wait", run.id);
  writeFileSync(join(sshd().hostHome, ".bashrc"), "");
  const hoursOff = (Date.now() - Date.parse(ended.endedAt)) / 3_600_000;
  expect(hoursOff).toBeGreaterThan(2.9);
  expect(hoursOff).toBeLessThan(3.1);
  expect(ended.durationS).toBeGreaterThanOrEqual(1);
  expect(ended.durationS).toBeLessThan(30);
  expect(ended.results).toMatchObject([{ path: "results/x", bytes: 2 }]);
});

it("L39 a log of 3 GB on a host opens at its end, and so does its copy at home", async () => {
  const run = await launch("echo begun; until [ -e go3 ]; do sleep 0.1; done");
  await waitFor(() => sizeOf(mirrorOf(run.id)) > 0, { what: "the mirror" });
  const log = join(run.jobFolder, "log");
  truncateSync(log, 3e9);
  appendFileSync(log, "\nnear the end\nthe end\n");
  const startMs = performance.now();
  const tail = await sortie.run(["logs", "-n", "1", run.id], withSsh());
  expect(tail.stdout).toBe("the end\n");
  expect(performance.now() - startMs).toBeLessThan(5000); // to bring all of it takes longer
  await waitFor(() => sizeOf(mirrorOf(run.id)) === 3e9 + 22, { what: "the copy", timeoutMs: 20_000 });
  expect(statSync(mirrorOf(run.id)).blocks * 512).toBeLessThan(10 * MB);
  goOffline();
  const offline = await sortie.run(["logs", "-n", "2", run.id], withSsh());
  goOnline();
  expect(offline.stdout).toBe("near the end\nthe end\n");
  truncateSync(log, 6);
  writeFileSync(join(codeDir(), "go3"), "");
  expect(await ask("wait", run.id)).toMatchObject({ state: "succeeded" });
});

it("clean takes the job folder off the host, and says where it stays", async () => {
  const [one, two] = [await launch("echo 1"), await launch("echo 2")];
  for (const { id } of [one, two]) await ask("wait", id);
  for (const { id } of [one, two]) await waitFor(() => isHome(id), { what: "results at home" });
  expect(await ask("clean", one.id, "--yes")).toMatchObject({ forgotten: [one.name], leftFolders: [] });
  expect(existsSync(one.jobFolder)).toBe(false);
  goOffline();
  const cleaned = await sortie.run(["clean", two.id, "--yes"], withSsh());
  goOnline();
  expect(cleaned).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/1 forgotten/) });
  expect(cleaned.stderr).toContain(`${two.jobFolder} on box`);
  expect(existsSync(two.jobFolder)).toBe(true);
});

it("a run that ended on a host that is gone can be given up, by name", async () => {
  writeFileSync(join(sortie.project(), "blocked"), "a file, not a folder");
  appendFileSync(join(sortie.project(), "AGENTS.md"), "- results_to: blocked/there\n");
  const run = await launch("echo 1");
  expect(await ask("wait", run.id)).toMatchObject({ state: "succeeded", collected: false });
  goOffline();
  expect(await ask("clean", run.id, "--yes")).toMatchObject({ exit: 2, error: { code: "uncollected" } });
  const plan = await sortie.run(["clean", "--lost", run.id], withSsh());
  expect(plan.stdout).toMatch(/its results and log are given up, its job\s+folder/);
  expect(await ask("clean", "--lost", run.id, "--yes")).toMatchObject({ exit: 0, forgotten: [run.name] });
  expect(existsSync(run.jobFolder)).toBe(true);
});
