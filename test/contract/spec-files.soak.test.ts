import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { useContractProject } from "../support/contract-project.ts";

const project = useContractProject();
const ask = (...args: string[]) => project.sortie.ask(args);
const plain = () => ({ base: project.makeQuickBase(), smoke: { import_names: ["json"] } });
const writeLedger = (text: string) => {
  mkdirSync(dirname(project.ledger()), { recursive: true });
  writeFileSync(project.ledger(), text);
};

it("a project that specifies no environment launches as before, and the plan says so", async () => {
  const shown = await project.sortie.run(["run", "--target", "local", "--gpus", "none", "--", "true"]);
  expect(shown.stdout).toMatch(/^ {2}contract {2}not under contract$/m);
  const answer = await project.run(["sh", "-c", `echo "$PATH|$\{OMP_NUM_THREADS-unset}"`], undefined, {
    env: { PATH: process.env["PATH"], OMP_NUM_THREADS: undefined },
  });
  expect(answer).toMatchObject({ exit: 0, printed: `${process.env["PATH"]}|unset` });
  expect((await project.sortie.show(answer.run.id)).environment.contract ?? null).toBeNull();
  expect(project.listBuilds()).toEqual([]);
  for (const command of ["build", "check", "verify", "spec"])
    expect(await ask("env", command), command).toMatchObject({ exit: 2, error: { code: "spec_missing" } });
  expect(await project.run(["true"], ["--gpus", "none", "--environment", "other"])).toMatchObject({
    exit: 2,
    error: { code: "spec_missing" },
  });
});

describe("several specifications", () => {
  it("of which none is named are told by name; a name or a file says which", async () => {
    for (const name of ["train", "serve"]) project.writeSpec(plain(), `env-specs/${name}.yaml`);
    const refused = await project.run(["true"]);
    expect(refused).toMatchObject({ exit: 2, error: { code: "spec_ambiguous" } });
    expect(refused.error.message).toContain("serve, train");
    expect(await project.plan(["--gpus", "none", "--environment", "train"])).toMatchObject({
      contract: { name: "train" },
    });
    expect(await project.plan(["--gpus", "none", "--environment", "env-specs/serve.yaml"])).toMatchObject({
      contract: { name: "serve" },
    });
    const unknown = await project.run(["true"], ["--gpus", "none", "--environment", "trian"]);
    expect(unknown).toMatchObject({ exit: 2, error: { code: "spec_missing" } });
    expect(unknown.error.message).toContain("serve, train");
    project.write("AGENTS.md", "## Local Environment\n- gpu: local\n- env_spec: `train`\n");
    expect(await project.plan()).toMatchObject({ contract: { name: "train" } });
    const ran = await project.run(
      ["sh", "-c", 'echo "$VIRTUAL_ENV"'],
      ["--gpus", "none", "--environment", "serve"],
    );
    expect(ran.printed).toBe(project.envs(project.readPointer("serve")));
  });

  it("of one name are refused, both named", async () => {
    project.writeSpec(plain(), "env-specs/train.yaml");
    project.writeSpec(plain(), "train.env-spec.json");
    const refused = await project.run(["true"], ["--gpus", "none", "--environment", "train"]);
    expect(refused).toMatchObject({ exit: 2, error: { code: "spec_doubled" } });
    expect(refused.error.message).toContain("env-specs/train.yaml");
    expect(refused.error.message).toContain("train.env-spec.json");
  });
});

describe("a bad specification", () => {
  it.each([
    ["a misspelt key", "base: venv\npip_phase: [[numpy]]\n", /line 2\b.*pip_phases/],
    ["a wrong type", "smoke:\n  import_names: numpy\n", /line 2\b/],
    ["a date", "env:\n  DAY: 2024-01-01\n", /line 2\b/],
    ["a pattern that is none", "smoke:\n  gpu_tests:\n  - cmd: x\n    expect: '('\n", /line 4\b/],
    ["nothing", "", /./],
    ["a tab", "smoke:\n\timport_names: [a]\n", /line 2\b/],
  ])("with %s is refused with its file and line", async (_, text, expected) => {
    project.writeSpec(text);
    const refused = await project.run(["true"]);
    expect(refused).toMatchObject({ exit: 2, error: { code: "spec_bad" } });
    expect(refused.error.message).toContain("env-spec.yaml");
    expect(`${refused.error.message} ${refused.error.hint}`).toMatch(expected);
    expect((await ask("ls", "--all")).runs).toEqual([]);
  });

  it("with a secret is warned of, and the secret gets neither into the ledger nor into the plan's words", async () => {
    const token = `hf_${"aB3dE6gH9jK2mN5pQ8sT1vX4zY7wL0cF".slice(0, 34)}`;
    project.writeSpec({ ...plain(), env: { HF_TOKEN: token } });
    const shown = await project.sortie.run(["run", "--target", "local", "--gpus", "none", "--", "true"]);
    expect(shown.stdout + shown.stderr).toMatch(/env-spec\.yaml.*env\.HF_TOKEN looks like a secret/s);
    expect(shown.stdout + shown.stderr).not.toContain(token);
    expect(await project.run(["true"])).toMatchObject({ exit: 0 });
    expect(project.readLedger()).not.toContain(token);
    const refused = await ask("env", "ledger", "--gotcha", `use ${token} there`);
    expect(refused).toMatchObject({ exit: 2, error: { code: "ledger_secret" } });
    expect(project.readLedger()).not.toContain(token);
  });
});

describe("a ledger by hand", () => {
  it("with the marks of a merge is left as it is: the run goes on, with a warning", async () => {
    project.writeSpec(plain());
    const text =
      "# Ours\n\n<<<<<<< HEAD\n### env: my-project@00000000\nhow: one way\n=======\n### env: my-project@11111111\n>>>>>>> other\n";
    writeLedger(text);
    const outcome = await project.sortie.run([
      "run",
      "--target",
      "local",
      "--gpus",
      "none",
      "--yes",
      "--",
      "true",
    ]);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stderr).toMatch(/the ledger was not written: .*merge conflict in line 3/);
    expect(project.readLedger()).toBe(text);
    expect((await project.plan()).notes.join("\n")).toMatch(/local.md: .*line 3/);
    expect(await ask("env", "ledger", "--gotcha", "x")).toMatchObject({
      exit: 2,
      error: { code: "ledger_conflict" },
    });
  });

  it("with CRLF, typos and words around it keeps all of them", async () => {
    project.writeSpec(plain());
    const { hash } = await ask("env", "spec");
    const before = "# Our machines\r\n\r\nSome words.\r\n\r\n";
    const after = "\r\n### env: other@12345678\r\nhow: theirs\r\n";
    const block = `### Env : my-project@${hash}\r\n* **How**： by hand, then cleaned\r\n* validatd: long ago\r\n* gotchas: mind the gap\r\n`;
    writeLedger(before + block + after);
    expect(await project.run(["true"])).toMatchObject({ exit: 0 });
    const text = project.readLedger();
    expect(text.startsWith(before)).toBe(true);
    expect(text.endsWith(after)).toBe(true);
    expect(text).toContain("* **How**： by hand, then cleaned\r\n");
    expect(text).toContain("mind the gap");
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(text).toContain("2 witness passed");
    const shown = await ask("env", "ledger", "my-project");
    expect(shown.ledger.blocks).toMatchObject([
      { name: "my-project", how: "by hand, then cleaned", gotchas: ["mind the gap"] },
    ]);
    expect(shown.ledger.warnings.join("\n")).toMatch(/line 7\b/);
    expect(await project.plan()).toMatchObject({ due: [] });
  });

  it("that cannot be written is no reason not to run", async () => {
    project.writeSpec(plain());
    mkdirSync(project.ledger(), { recursive: true });
    const outcome = await project.sortie.run([
      "run",
      "--target",
      "local",
      "--gpus",
      "none",
      "--yes",
      "--",
      "true",
    ]);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stderr).toMatch(/the ledger was not written/);
  });
});
