import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const inProject = (...parts: string[]) => join(sortie.project(), ...parts);
const runHere = (command: string, ...flags: string[]) =>
  sortie.ask(["run", "--target", "local", "--yes", ...flags, "--", "sh", "-c", command]);

describe("SORTIE_RESULTS_DIR is the folder of the first pattern", () => {
  const ask = async (...patterns: string[]) => {
    const flags = patterns.flatMap((pattern) => ["--results", pattern]);
    const { run } = await runHere('echo "$SORTIE_RESULTS_DIR"', ...flags);
    return readFileSync(run.log, "utf8").trim();
  };

  it.each([
    [[], "results"],
    [["runs/exp1/"], "runs/exp1"],
    [["./out"], "out"],
    [["out/*.pt", "other/"], "out"],
    [["out/run[12]/deep/**"], "out"],
    [["**/*.pt"], ""],
    [["out/metrics.json"], "out"],
  ])("%j", async (patterns, folder) => {
    expect(await ask(...patterns)).toBe(inProject(folder).replace(/\/$/, ""));
  });

  it("also where that is absolute, or has a dot in its name", async () => {
    expect(await ask(join(sortie.temp(), "scratch", "x/"))).toBe(join(sortie.temp(), "scratch", "x"));
    mkdirSync(inProject("v1.5"));
    expect(await ask("v1.5")).toBe(inProject("v1.5"));
  });
});

describe("a pattern that leads out of the folder", () => {
  it.each(["../out", "results/../../out", ".."])("%s is refused before anything is done", async (pattern) => {
    const refused = await runHere("touch ran", "--results", pattern);
    expect(refused).toMatchObject({ exitCode: 2, error: { code: "results_glob_bad" } });
    writeFileSync(inProject("AGENTS.md"), `## Local Environment\n- gpu: local\n- results: ${pattern}\n`);
    const section = await sortie.ask(["run", "--yes", "--", "touch", "ran"]);
    expect(section).toMatchObject({ exitCode: 2, error: { code: "results_glob_bad" } });
    expect(existsSync(inProject("ran"))).toBe(false);
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
  });
});

it("two runs of one name bring their results to a folder each", async () => {
  writeFileSync(inProject("AGENTS.md"), "## Local Environment\n- gpu: local\n- results_to: kept\n");
  const folders = new Set<string>();
  for (const word of ["one", "two"]) {
    const command = ["sh", "-c", `mkdir -p results; echo ${word} >results/word`];
    const { run } = await sortie.ask(["run", "--yes", "--name", "same", "--", ...command]);
    const { collectFault, resultsFolder } = await sortie.show(run.id);
    expect(collectFault).toBeNull();
    expect(readFileSync(join(resultsFolder, "results", "word"), "utf8")).toBe(`${word}\n`);
    folders.add(resultsFolder);
  }
  expect(folders.size).toBe(2);
});

it("collect --to copies every name, byte for byte, and each to its own place", async () => {
  const { run } = await runHere(
    "mkdir results; cd results; touch \"$(printf 'caf\\351')\"; cd ..; touch log",
    ...["--results", "results/", "--results", "log"],
  );
  const copy = join(sortie.temp(), "copy");
  expect(await sortie.ask(["collect", run.id, "--to", copy])).toMatchObject({ exit: 0 });
  const [name] = readdirSync(join(copy, "results"), { encoding: "buffer" });
  expect(name).toEqual(Buffer.from("caf\xe9", "latin1"));
  expect(readdirSync(copy).sort()).toEqual(["log", "results", "results.json", "same-name"]);
  expect(readdirSync(join(copy, "same-name"))).toEqual(["log"]);
});

it("collect --to says what is no longer there to be copied", async () => {
  const { run } = await runHere("mkdir results; touch results/kept results/lost");
  rmSync(join((await sortie.show(run.id)).resultsFolder, "results", "lost"));
  const copied = await sortie.ask(["collect", run.id, "--to", "copy"]);
  expect(copied).toMatchObject({ exit: 1, error: { code: "results_gone" } });
  expect(copied.error.message).toContain("results/lost");
  expect(existsSync(inProject("copy", "results", "kept"))).toBe(true);
});

it("collect names no folder where none was made", async () => {
  writeFileSync(inProject("AGENTS.md"), "## Local Environment\n- gpu: local\n- job_dir: AGENTS.md\n");
  await sortie.run(["run", "--yes", "--name", "never", "--", "true"]);
  for (const more of [[], ["--to", "copy"]]) {
    const { stdout } = await sortie.run(["collect", "never", ...more]);
    expect(stdout).toBe("Nothing to bring home: never never started.\n");
  }
  expect(existsSync(inProject("copy"))).toBe(false);
});

it("collect --to makes a new copy or none, and a run's end is told once", async () => {
  const { run } = await runHere("mkdir results; echo 1 >results/one");
  const to = join(sortie.temp(), "copy");
  expect(await sortie.ask(["collect", run.id, "--to", to])).toMatchObject({ exit: 0 });
  writeFileSync(join(to, "results", "one"), "altered");
  const again = await sortie.ask(["collect", run.id, "--to", to]);
  expect(again).toMatchObject({ exitCode: 2, error: { code: "results_place_taken" } });
  const { events } = await sortie.show(run.id);
  expect(events.filter(({ kind }: { kind: string }) => kind === "ended")).toHaveLength(1);
});
