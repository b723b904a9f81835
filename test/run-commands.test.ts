import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useSortie } from "./support/sortie.ts";
import { waitFor } from "./support/wait-for.ts";

const sortie = useSortie();
const shell = (text: string) => ["sh", "-c", text];
const LIVE = shell("echo up; exec sleep 300");
const makeCall = (command: readonly string[], ...flags: string[]) => [
  ...["run", "--target", "local", "--yes", "--grace", "1", ...flags],
  ...["--", ...command],
];
const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const inProject = (...parts: string[]) => join(sortie.project(), ...parts);

describe("names", () => {
  it("a live one is not given twice, and is free again after the end", async () => {
    const first = await sortie.launch(LIVE, ["--name", "mine", "--grace", "1"]);
    const twice = await sortie.ask(makeCall(LIVE, "--name", "mine"));
    expect(twice).toMatchObject({ exit: 2, error: { code: "run_name_taken", details: { run: first.id } } });
    expect(await sortie.ask(["stop", "mine"])).toMatchObject({ exit: 0, state: "stopped" });
    const again = await sortie.ask(makeCall(["true"], "--name", "mine"));
    expect(again).toMatchObject({ exit: 0, run: { name: "mine", state: "succeeded" } });
    // Of two with one name the newest is meant.
    expect(await sortie.show("mine")).toMatchObject({ id: again.run.id });
  });

  it("are the script and the time unless given, and any unique start will do", async () => {
    writeFileSync(inProject("my train.py"), "print(1)\n");
    const { run } = await sortie.ask(makeCall(["/usr/bin/python3", "my train.py"]));
    expect(run.name).toMatch(/^my-train-\d{8}-\d{6}$/);
    expect(await sortie.show("my-tr")).toMatchObject({ id: run.id });
    expect(await sortie.show(run.id.slice(0, 6))).toMatchObject({ id: run.id });
    await sortie.ask(makeCall(["true"], "--name", "my-other"));
    const either = await sortie.ask(["show", "my-"]);
    expect(either).toMatchObject({ exit: 2, error: { code: "run_ambiguous" } });
    expect(either.error.message).toMatch(/my-other \(r\w+\), my-train-/);
    for (const name of ["-x", "a b", "", "a".repeat(81)]) {
      const refused = await sortie.ask(makeCall(["true"], `--name=${name}`));
      expect(refused).toMatchObject({ exit: 2, error: { code: "run_name_bad" } });
    }
  });
});

it("show tells all that is known, in the shape that the design promises", async () => {
  const { run } = await sortie.ask(makeCall(shell("mkdir results; printf 1 >results/one")));
  const shown = await sortie.show(run.id);
  const promised =
    "id name state endReason exitCode target kind host gpus command git session pid createdAt startedAt endedAt " +
    "jobFolder log expected results notes reachable observedAt waitingFor";
  expect(Object.keys(shown)).toEqual(expect.arrayContaining(["schema", ...promised.split(" ")]));
  expect(shown).toMatchObject({
    schema: 1,
    state: "succeeded",
    endReason: "exited",
    exitCode: 0,
    kind: "local",
    command: ["sh", "-c", "mkdir results; printf 1 >results/one"],
    gpus: [],
    git: null,
    results: [{ path: "results/one", bytes: 1, sha256: hash("1"), shared: false }],
    reachable: true,
    waitingFor: null,
  });
  for (const key of ["createdAt", "startedAt", "endedAt", "observedAt"]) expect(shown[key]).toMatch(TIME);
  expect(shown.durationS).toBeGreaterThanOrEqual(0);
  expect(Object.keys(shown.expected).sort()).toEqual(["seconds", "source"]);
  const again = await sortie.ask(["run", "--target", "local", "--", ...shown.command]);
  expect(again.plan.terms.expected).toEqual({ seconds: shown.durationS, source: "earlier_runs" });
});

describe("wait", () => {
  it("gives up after its time with 124, and has the class of the run as its exit code", async () => {
    const waiting = await sortie.launch(shell("until [ -e go ]; do sleep 0.05; done"), ["--name", "good"]);
    const late = await sortie.ask(["wait", "good", "--timeout", "0.3s"]);
    expect(late).toMatchObject({ exit: 124, error: { code: "wait_timeout" } });
    writeFileSync(inProject("go"), "");
    expect(await sortie.ask(["wait", waiting.id])).toMatchObject({
      exit: 0,
      state: "succeeded",
      collected: true,
    });
    const bad = await sortie.ask(makeCall(shell("exit 5"), "--detach"));
    expect(await sortie.ask(["wait", bad.run.id])).toMatchObject({ exit: 1, state: "failed", exitCode: 5 });
    const stopped = await sortie.launch(LIVE, ["--grace", "1"]);
    const [ended] = await Promise.all([sortie.ask(["wait", stopped.id]), sortie.ask(["stop", stopped.id])]);
    expect(ended).toMatchObject({ exit: 1, state: "stopped" });
  });
});

it("stop may be asked for twice, and by two at once", async () => {
  const { id, pid } = await sortie.launch(LIVE, ["--grace", "1"]);
  const both = await Promise.all([sortie.ask(["stop", id]), sortie.ask(["stop", id])]);
  for (const one of both) expect(one).toMatchObject({ exit: 0, state: "stopped", endReason: "stopped" });
  expect(existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, "utf8")).toBeFalsy();
  const again = await sortie.ask(["stop", id]);
  expect(again).toMatchObject({ exit: 0, state: "stopped", wasEnded: true });
  expect(readFileSync(join(again.jobFolder, "stop"), "utf8").match(/^by=/gm)).toHaveLength(1);
});

it("rerun plans an earlier run anew, with what is given now on top", async () => {
  mkdirSync(inProject("other place"));
  const tell = shell('echo "$KEY $PWD"');
  const { run } = await sortie.ask(makeCall(tell, "--env", "KEY=one", "--expect", "7s"));
  const missing = await sortie.ask(["rerun", run.id, "--yes"]);
  expect(missing).toMatchObject({ exit: 2, error: { code: "value_bad" } });
  expect(missing.error.message).toContain("KEY");
  const again = await sortie.ask(["rerun", run.id, "--yes", "--env", "KEY=two", "--cwd", "other place"]);
  expect(again).toMatchObject({
    exit: 0,
    run: { state: "succeeded", expected: { seconds: 7, source: "flag" } },
  });
  expect(again.run.id).not.toBe(run.id);
  expect(readFileSync(again.run.log, "utf8")).toBe(`two ${inProject("other place")}\n`);
});

it("takes variables from flags, from files and from here, into folders with spaces", async () => {
  mkdirSync(inProject("a folder", "with spaces"), { recursive: true });
  writeFileSync(inProject("my env"), "# a comment\nFROM_FILE='it is'\nBOTH=file\n");
  const flags = [
    "--env-file",
    "my env",
    "--env",
    "BOTH=flag",
    "--env",
    "HERE",
    "--cwd",
    "a folder/with spaces",
  ];
  const tell = shell(
    'printf "%s|" "$FROM_FILE" "$BOTH" "$HERE" "$PATH"; pwd; mkdir results; echo 1 >results/x',
  );
  const odd = { HERE: "  `it's`\n$x ", PATH: `${process.env["PATH"]}:/odd place` };
  const { run } = await sortie.ask(makeCall(tell, ...flags), { env: odd });
  const folder = inProject("a folder", "with spaces");
  expect(readFileSync(run.log, "utf8")).toBe(`it is|flag|${odd.HERE}|${odd.PATH}|${folder}\n`);
  expect((await sortie.show(run.id)).results).toMatchObject([{ path: "results/x" }]);
  const unset = await sortie.ask(makeCall(tell, "--env", "NOT_SET_HERE"));
  expect(unset).toMatchObject({ exit: 2, error: { code: "value_bad" } });
  for (const flag of ["--timeout", "--expect"])
    expect(await sortie.ask(makeCall(tell, flag, "0s"))).toMatchObject({
      exit: 2,
      error: { code: "value_bad" },
    });
  for (const pair of ["1X=1", "UID=0"])
    expect(await sortie.ask(makeCall(tell, "--env", pair))).toMatchObject({
      exit: 2,
      error: { code: "value_bad" },
    });
});

describe("results", () => {
  it("are brought home with their hashes; what two overlapping runs may both have written is marked", async () => {
    const write = (name: string) =>
      shell(`mkdir -p results; printf ${name} >results/${name}; until [ -e go ]; do sleep 0.05; done`);
    const ids: string[] = [];
    for (const name of ["early", "late"]) ids.push((await sortie.launch(write(name))).id);
    writeFileSync(inProject("go"), "");
    const [early, late] = await Promise.all(ids.map((id) => sortie.ask(["wait", id])));
    expect(early.results).toEqual([
      { path: "results/early", bytes: 5, sha256: hash("early"), shared: false },
      { path: "results/late", bytes: 4, sha256: hash("late"), shared: true },
    ]);
    expect(late.results).toEqual([{ path: "results/late", bytes: 4, sha256: hash("late"), shared: true }]);
    expect(readFileSync(join(early.resultsFolder, "results", "late"), "utf8")).toBe("late");
    expect(early.resultsFolder).toBe(join(sortie.home(), "runs", ids[0] as string));
    const alone = await sortie.ask(makeCall(shell("printf 2 >results/alone")));
    expect((await sortie.show(alone.run.id)).results).toMatchObject([
      { path: "results/alone", shared: false },
    ]);
  });

  it("are copied once more with --to, and to a folder of the project where it says so", async () => {
    writeFileSync(
      inProject("AGENTS.md"),
      "## Local Environment\n- gpu: local\n- results: out/\n- results_to: kept\n",
    );
    const call = [...makeCall(shell("mkdir out; printf 3 >out/x"), "--name", "kept-one")];
    call.splice(call.indexOf("--target"), 2);
    const { run } = await sortie.ask(call);
    const shown = await sortie.show(run.id);
    expect(shown.resultsFolder).toBe(inProject("kept", `kept-one-${run.id}`));
    expect(readFileSync(join(shown.resultsFolder, "out", "x"), "utf8")).toBe("3");
    const copied = await sortie.ask(["collect", run.id, "--to", "a copy"]);
    expect(copied).toMatchObject({ exit: 0, results: [{ path: "out/x", sha256: hash("3") }] });
    expect(readdirSync(inProject("a copy")).sort()).toEqual(["log", "out", "results.json"]);
    writeFileSync(inProject("a file"), "");
    const taken = await sortie.ask(["collect", run.id, "--to", "a file"]);
    expect(taken).toMatchObject({ exit: 2, error: { code: "results_place_taken" } });
  });
});

it("clean forgets what is home, and refuses what lives or is not", async () => {
  const section = "## Local Environment\n- gpu: local\n- results_to: blocked/there\n";
  writeFileSync(inProject("AGENTS.md"), section);
  writeFileSync(inProject("blocked"), "a file, not a folder");
  const call = makeCall(shell("mkdir results; echo 1 >results/x"), "--name", "away");
  call.splice(call.indexOf("--target"), 2);
  const away = await sortie.ask(call);
  expect(away).toMatchObject({ exit: 0, run: { state: "succeeded" } });
  expect((await sortie.show("away")).collectFault).toEqual(expect.any(String));
  const live = await sortie.launch(LIVE, ["--name", "live", "--grace", "1"]);
  expect(await sortie.ask(["clean", "away", "--yes"])).toMatchObject({
    exit: 2,
    error: { code: "uncollected" },
  });
  expect(await sortie.ask(["clean", "live", "--yes"])).toMatchObject({
    exit: 2,
    error: { code: "run_live" },
  });
  expect(await sortie.ask(["clean", "--older-than", "0s", "--yes"])).toMatchObject({
    forgotten: [],
    kept: ["away"],
  });
  rmSync(inProject("blocked"));
  expect(await sortie.ask(["collect", "away"])).toMatchObject({
    exit: 0,
    collected: true,
    collectFault: null,
  });
  const unsure = await sortie.ask(["clean", "away"]);
  expect(unsure).toMatchObject({ exit: 3, clean: { forget: ["away"], keep: [] } });
  expect(existsSync(away.run.jobFolder)).toBe(true);
  expect(await sortie.ask(["clean", "away", "--yes"])).toMatchObject({ exit: 0, forgotten: ["away"] });
  expect(existsSync(away.run.jobFolder)).toBe(false);
  expect(readFileSync(inProject("blocked", "there", `away-${away.run.id}`, "results", "x"), "utf8")).toBe(
    "1\n",
  );
  expect((await sortie.ask(["ls"])).runs.map((run: { id: string }) => run.id)).toEqual([live.id]);
});

it("adopt takes up every run after the database was lost: ids, names and states", async () => {
  const done = await sortie.ask(
    makeCall(shell("mkdir results; printf 4 >results/x; exit 6"), "--name", "done"),
  );
  const live = await sortie.launch(LIVE, ["--name", "live", "--grace", "1"]);
  const keys = [
    "id",
    "name",
    "state",
    "endReason",
    "exitCode",
    "command",
    "jobFolder",
    "createdAt",
    "startedAt",
    "endedAt",
    "results",
  ];
  const pick = (run: Record<string, unknown>) => Object.fromEntries(keys.map((key) => [key, run[key]]));
  const before = await Promise.all([done.run.id, live.id].map(sortie.show));
  for (const name of readdirSync(sortie.home()))
    if (name.startsWith("sortie.db")) rmSync(join(sortie.home(), name));
  expect((await sortie.ask(["ls"])).runs).toEqual([]);
  const { exit, adopted, skipped } = await sortie.ask(["adopt"]);
  expect({ exit, skipped, names: adopted.map((run: { name: string }) => run.name).sort() }).toEqual({
    exit: 0,
    skipped: [],
    names: ["done", "live"],
  });
  await waitFor(async () => (await sortie.show("done")).collected, { what: "the results to be home" });
  const after = await Promise.all([done.run.id, live.id].map(sortie.show));
  expect(after.map(pick)).toEqual(before.map(pick));
  expect(await sortie.ask(["adopt"])).toMatchObject({ exit: 0, adopted: [] });
  expect(await sortie.ask(["stop", "live"])).toMatchObject({ exit: 0, state: "stopped" });
});
