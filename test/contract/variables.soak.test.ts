import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useContractProject } from "../support/contract-project.ts";
import { makeFakeGpus } from "../support/fake-gpus.ts";

const project = useContractProject();
const THREADS = [
  "OMP_NUM_THREADS",
  "MKL_NUM_THREADS",
  "OPENBLAS_NUM_THREADS",
  "NUMEXPR_NUM_THREADS",
  "VECLIB_MAXIMUM_THREADS",
];
const FREE = Object.fromEntries(THREADS.map((name) => [name, undefined]));
/** The host may grant fewer, by a quota. */
const MOST_CPUS = Number(execFileSync("nproc", { encoding: "utf8", env: { PATH: process.env["PATH"] } }));
const tell = (...names: string[]) => ["sh", "-c", `echo "${names.map((name) => `$${name}`).join("|")}"`];
const run = (command: readonly string[], ...flags: string[]) =>
  project.run(command, ["--gpus", "none", ...flags], { env: FREE });

it("libraries are told how many CPUs there are, unless the person tells them", async () => {
  project.writeSpec({ base: project.makeQuickBase(), smoke: { import_names: ["json"] } });
  const all = await run(tell(...THREADS));
  const cpus = Number(all.printed.split("|")[0]);
  expect(all.printed).toBe(THREADS.map(() => cpus).join("|"));
  expect(cpus).toBeGreaterThanOrEqual(1);
  expect(cpus).toBeLessThanOrEqual(MOST_CPUS);
  // A rerun of its script by hand is told the same.
  const again = execFileSync("sh", [join(all.run.jobFolder, "job.sh")], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  expect(again.trim()).toBe(all.printed);
  expect((await run(tell("OMP_NUM_THREADS", "MKL_NUM_THREADS"), "--env", "OMP_NUM_THREADS=3")).printed).toBe(
    "3|",
  );
  const inherited = await project.run(tell("OMP_NUM_THREADS", "MKL_NUM_THREADS"), undefined, {
    env: { ...FREE, MKL_NUM_THREADS: "5" },
  });
  expect(inherited.printed).toBe("|5");
  const gpus = makeFakeGpus(project.temp(), { gpus: [{}, {}] });
  const shared = await project.run(tell("OMP_NUM_THREADS"), ["--gpus", "2", "--unverified"], {
    env: { ...gpus.env, ...FREE },
  });
  expect(shared.printed).toBe(String(Math.max(1, Math.floor(cpus / 2))));
});

it("those of the specification reach the run, and give way to those of the person", async () => {
  for (const name of ["base", "other"]) {
    mkdirSync(project.inProject("weights", name), { recursive: true });
    writeFileSync(project.inProject("weights", name, "model.bin"), "x");
  }
  project.writeSpec({
    base: project.makeQuickBase(),
    env: { MODE: "it's $HOME", OMP_NUM_THREADS: "1", SHARED: "spec" },
    weight_dirs: [{ path: "weights/base", source: "somewhere", env: "BASE_DIR" }],
    smoke: {
      import_names: ["json"],
      cli_checks: [{ cmd: 'test "$MODE" = "it\'s \\$HOME" && test -e "$BASE_DIR/model.bin"' }],
    },
  });
  const seen = await run(tell("MODE", "OMP_NUM_THREADS", "SHARED", "BASE_DIR"));
  expect(seen.printed).toBe(`it's $HOME|1|spec|${project.inProject("weights", "base")}`);
  writeFileSync(project.inProject("vars"), "SHARED=file\n");
  const flags = ["--env", "MODE=mine", "--env", "BASE_DIR=elsewhere", "--env-file", "vars"];
  expect((await run(tell("MODE", "OMP_NUM_THREADS", "SHARED", "BASE_DIR"), ...flags)).printed).toBe(
    "mine|1|file|elsewhere",
  );
  expect(project.readLedger()).toContain("- weights: weights/base from somewhere\n");
});

it("weights that are missing or empty keep a run from starting", async () => {
  project.writeSpec({
    base: project.makeQuickBase(),
    weight_dirs: [{ path: "weights/base", source: "somewhere/model", gated: true, env: "BASE_DIR" }],
  });
  const refused = await run(["true"]);
  expect(refused).toMatchObject({ exit: 5, error: { code: "environment_unverified", details: { tier: 1 } } });
  expect(refused.error.message).toMatch(/weights\/base.*somewhere\/model/);
  mkdirSync(project.inProject("weights", "base"), { recursive: true });
  writeFileSync(project.inProject("weights", "base", "model.bin"), "");
  expect((await run(["true"])).error.message).toContain("model.bin");
  writeFileSync(project.inProject("weights", "base", "model.bin"), "x");
  expect(await run(["true"])).toMatchObject({ exit: 0 });
});

it("what the person's shell has of Python is left out", async () => {
  project.addWheel("one", "1.0");
  project.write("one.py", 'version = "of the project"\n');
  mkdirSync(project.inProject("path"));
  writeFileSync(project.inProject("path", "one.py"), 'version = "of PYTHONPATH"\n');
  project.writeSpec({
    base: project.makeQuickBase(),
    pip_phases: [project.pip("one")],
    smoke: { import_names: ["one"] },
  });
  const env = {
    PYTHONPATH: project.inProject("path"),
    PYTHONHOME: project.inProject("nowhere"),
    VIRTUAL_ENV: "/other",
  };
  const command = ["python", "-I", "-c", "import one; print(one.version)"];
  expect(await project.run(command, undefined, { env })).toMatchObject({ exit: 0, printed: "1.0" });
  const given = ["--gpus", "none", "--env", `PYTHONPATH=${project.inProject("path")}`];
  const told = await project.run(["sh", "-c", 'echo "$PYTHONPATH|$PYTHONHOME|$VIRTUAL_ENV"'], given, { env });
  expect(told.printed).toBe(`${project.inProject("path")}||${project.envs(project.readPointer())}`);
  expect(readFileSync(told.run.log, "utf8")).not.toContain("/other");
});
