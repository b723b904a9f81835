import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { COUNT, PYTHON_WITH_NUMPY, useContractProject } from "../support/contract-project.ts";

const project = useContractProject();

const README = `# Digits

\`\`\`sh sortie-check
python -m told --rows 3
# expect line rows: 3
# expect file table.txt
\`\`\`
`;
const TOLD = `import sys
open("table.txt", "w").write("x")
print("rows:", sys.argv[sys.argv.index("--rows") + 1])
`;

/** Where the numpy of the tests lies. */
function findPackages(): string {
  const ask = ["-c", 'import sysconfig; print(sysconfig.get_path("purelib"))'];
  return execFileSync(PYTHON_WITH_NUMPY, ask, { encoding: "utf8" }).trim();
}

/** Three phases of pip, all of a folder of wheels. */
function makeSpec(pin: string) {
  return {
    base: project.makeQuickBase(),
    pip_phases: [project.pip("first==1.0"), project.pip(`second==${pin}`), project.pip("told==1.0")],
    run_commands: [COUNT],
    smoke: {
      import_names: ["first", "second", "numpy"],
      cli_checks: [{ cmd: "python -V", expect: "^Python 3" }],
    },
  };
}

it("is built from three phases of pip, shows all three tiers, is used again, and is built anew for a new pin", async () => {
  for (const [name, version] of [
    ["first", "1.0"],
    ["second", "1.0"],
    ["second", "2.0"],
  ] as const)
    project.addWheel(name, version);
  project.addWheel("told", "1.0", TOLD);
  project.writeSpec(makeSpec("1.0"));
  project.write("README.md", README);
  const command = [
    "python",
    "-c",
    "import first, second, sys; print(first.version, second.version, sys.prefix)",
  ];

  expect(await project.plan()).toMatchObject({ action: "build", why: "it is not there yet", due: [1, 2, 3] });
  const first = await project.run(command);
  const [name = ""] = project.listBuilds();
  expect(name).toMatch(/^my-project-[0-9a-f]{8}-1$/);
  expect(first).toMatchObject({
    exit: 0,
    run: { state: "succeeded" },
    printed: `1.0 1.0 ${project.envs(name)}`,
  });
  expect(project.readTries()).toEqual(["1 passed", "2 passed", "3 passed"]);
  expect(project.readPointer()).toBe(name);
  expect(project.readRecords()[1]?.message).toMatch(/^numpy 1\S+ computed float32, float16 on a CPU$/);
  expect(project.readLedger()).toMatch(
    /^### env: my-project@[0-9a-f]{8}\n- how: built by .*\n- tier: 1 import passed .*; 2 witness passed .*; 3 document passed .*\n- validated: 20.*\n$/,
  );

  // Nothing is built or tried a second time.
  expect(await project.plan()).toMatchObject({
    action: "reuse",
    why: expect.stringMatching(/^built 20.*, unchanged since$/),
    due: [],
  });
  const ledger = project.readLedger();
  expect((await project.run(command)).printed).toBe(first.printed);
  expect([project.countBuilds(), project.readTries().length, project.readLedger()]).toEqual([1, 3, ledger]);

  project.writeSpec(makeSpec("2.0"));
  const rebuilt = await project.plan();
  expect(rebuilt).toMatchObject({ action: "rebuild", due: [1, 2, 3] });
  expect(rebuilt.why).toBe(`its specification has changed: it was ${name.slice(-10, -2)}`);
  const second = await project.run(command);
  const newer = project.readPointer();
  expect(newer).not.toBe(name);
  expect(second.printed).toBe(`1.0 2.0 ${project.envs(newer)}`);
  expect(project.listBuilds().sort()).toEqual([name, newer].sort());
  expect(existsSync(project.envs(name, "ready.json"))).toBe(true);
  expect(project.readLedger().startsWith(ledger)).toBe(true);

  // Back again: the old one is still there, and the name stands for it again.
  project.writeSpec(makeSpec("1.0"));
  expect(await project.plan()).toMatchObject({ action: "reuse", due: [] });
  expect((await project.run(command)).printed).toBe(first.printed);
  expect([project.readPointer(), project.countBuilds()]).toEqual([name, 2]);
});

it("is made with a pip of its own where nothing else is said", async () => {
  project.addWheel("first", "1.0");
  const link = `printf '%s\\n' '${findPackages()}' >"$(python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/numpy.pth"`;
  project.writeSpec({
    base: "python:3",
    pip_phases: [project.pip("first")],
    run_commands: [link],
    smoke: { import_names: ["first", "pip"] },
  });
  const ran = await project.run([
    "python",
    "-c",
    "import first, numpy, pip; print(first.version, pip.__file__)",
  ]);
  expect(ran).toMatchObject({ exit: 0, run: { state: "succeeded" } });
  expect(ran.printed).toMatch(`1.0 ${project.envs(project.readPointer())}`);
  expect(project.readRecords()[1]?.message).toBe("nothing to witness with: its imports count");
});

it("the comments and the order of keys of a specification are no change", async () => {
  const base = JSON.stringify(project.makeQuickBase());
  project.writeSpec(
    `base: ${base}\nrun_commands: ["${COUNT}"]\nsmoke: {import_names: [json], cli_checks: [{cmd: "true"}]}\n`,
  );
  expect(await project.run(["true"])).toMatchObject({ exit: 0 });
  project.writeSpec(
    `# what it needs\nsmoke:\n  cli_checks: # all of them\n    - cmd: 'true'\n  import_names: ["json"]\nrun_commands:\n- ${COUNT}\nbase: ${base}\n`,
  );
  expect(await project.plan()).toMatchObject({ action: "reuse", due: [] });
  expect(await project.run(["true"])).toMatchObject({ exit: 0 });
  expect(project.countBuilds()).toBe(1);
});

it("`sortie env build`, `check` and `verify` do the same without a run, each only what is left", async () => {
  project.writeSpec({
    base: project.makeQuickBase(),
    run_commands: [COUNT],
    smoke: { import_names: ["numpy"] },
  });
  const { sortie } = project;
  expect(await sortie.ask(["env", "check"])).toMatchObject({ exit: 1, trusted: false, place: null });
  const unsure = await sortie.ask(["env", "build"]);
  expect(unsure).toMatchObject({ exit: 3, plan: { action: "env build" } });
  expect(project.listBuilds()).toEqual([]);
  const built = await sortie.ask(["env", "build", "--yes"]);
  expect(built).toMatchObject({ exit: 0, tiers: [{ tier: 1, state: "passed" }] });
  expect(built.due.map(({ tier }: { tier: number }) => tier)).toEqual([2]);
  expect(await sortie.ask(["env", "check"])).toMatchObject({
    exit: 1,
    place: { path: project.envs(project.readPointer()) },
  });
  expect(await sortie.ask(["env", "verify", "--yes"])).toMatchObject({
    exit: 0,
    tiers: [{ tier: 2, state: "passed" }],
    due: [],
  });
  expect(await sortie.ask(["env", "check"])).toMatchObject({
    exit: 0,
    trusted: true,
    document: "none",
    due: [],
  });
  // Nothing is left: no plan, no question.
  expect(await sortie.ask(["env", "verify"])).toMatchObject({ exit: 0, trusted: true });
  expect(await sortie.ask(["env", "build"])).toMatchObject({ exit: 0, trusted: true });
  expect(project.readTries()).toEqual(["1 passed", "2 passed"]);
  expect(await sortie.ask(["env", "verify", "--yes", "--again", "--tier", "1"])).toMatchObject({ exit: 0 });
  expect(project.readTries()).toEqual(["1 passed", "2 passed", "1 passed"]);
  expect(project.countBuilds()).toBe(1);
});
