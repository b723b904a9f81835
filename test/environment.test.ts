import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeConda } from "./support/fake-conda.ts";
import { useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const write = (text: string) => writeFileSync(join(sortie.project(), "AGENTS.md"), text);
const readLog = async (id: string) => (await sortie.run(["logs", id])).stdout.trim();
const launchHere = async (command: readonly string[]) =>
  sortie.ask(["run", "--yes", "--detach", "--", ...command]);

describe("the environment of the local target", () => {
  it("is entered before the command: conda by name", async () => {
    makeFakeConda(join(sortie.temp(), "person", "miniconda3"), ["ml"]);
    write("## Local Environment\n- Mac MPS / Linux CUDA\n- Conda env: `ml` (Python 3.10 + PyTorch)\n");
    const { run } = await launchHere(["sh", "-c", 'echo "$CONDA_DEFAULT_ENV"; command -v python']);
    await sortie.waitForState(run.id, ["succeeded"]);
    const prefix = join(sortie.temp(), "person", "miniconda3", "envs", "ml");
    expect(await readLog(run.id)).toBe(`ml\n${prefix}/bin/python`);
    const shown = await sortie.show(run.id);
    expect(shown.environment).toMatchObject({ label: "conda ml", python: { path: `${prefix}/bin/python` } });
    expect(shown.environment.python.version).toMatch(/^3\./);
  });

  it("is an error before anything is reserved or started when it is missing", async () => {
    write("## Local Environment\n- Conda env: ml\n");
    const answer = await launchHere(["true"]);
    expect(answer).toMatchObject({ exitCode: 2, error: { code: "environment_missing" } });
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
  });

  it("asks for trust before a line of shell is run, also with --yes", async () => {
    write("## Local Environment\n- gpu: local\n- Activate: `touch ~/ran && export MODE=odd`\n");
    const refused = await launchHere(["true"]);
    expect(refused).toMatchObject({ exitCode: 3, next: "sortie trust", trust: { lines: [{ line: 3 }] } });
    expect(refused.trust.lines[0].text).toContain("touch ~/ran");
    expect(refused.plan).toBeUndefined();
    expect((await sortie.ask(["trust"])).exitCode).toBe(0);
    const { run } = await launchHere(["sh", "-c", 'echo "$MODE"']);
    await sortie.waitForState(run.id, ["succeeded"]);
    expect(await readLog(run.id)).toBe("odd");
    write("## Local Environment\n- gpu: local\n- Activate: `touch ~/ran && export MODE=other`\n");
    expect(await launchHere(["true"])).toMatchObject({ exitCode: 3, next: "sortie trust" });
  });

  it("inherits what the caller has, and what was given on top", async () => {
    const flags = ["run", "--target", "local", "--yes", "--detach", "--env", "GIVEN=a b"];
    const { run } = await sortie.ask([...flags, "--", "sh", "-c", 'echo "$MINE $GIVEN $SORTIE_RUN_NAME"'], {
      env: { MINE: "mine" },
    });
    await sortie.waitForState(run.id, ["succeeded"]);
    expect(await readLog(run.id)).toBe(`mine a b ${run.name}`);
  });
});

it("init writes a section that reads back", async () => {
  const flags = ["--kind", "local", "--set", "Conda env=research", "--set", "results=out/"];
  expect(await sortie.ask(["init", ...flags])).toMatchObject({ exitCode: 3 });
  expect(await sortie.ask(["init", ...flags, "--yes"])).toMatchObject({ exitCode: 0 });
  const { targets, warnings, errors } = await sortie.ask(["targets"]);
  expect(targets).toMatchObject([
    { name: "local-environment", kind: "local", conda: { env: "research" }, results: ["out/"] },
  ]);
  expect([...warnings, ...errors]).toEqual([]);
});

it("init makes no second section of a name, and offers no key where none is near", async () => {
  const flags = ["init", "--kind", "local"];
  expect(await sortie.ask([...flags, "--yes"])).toMatchObject({ exitCode: 0 });
  const again = await sortie.ask([...flags, "--yes"]);
  expect(again).toMatchObject({ exitCode: 2, error: { code: "value_bad" } });
  expect(again.error.message).toContain("in lines 1 to 2");
  expect(await sortie.ask(["targets"])).toMatchObject({ targets: [{ name: "local-environment" }] });
  expect(await sortie.ask([...flags, "--heading", "Laptop", "--yes"])).toMatchObject({ exitCode: 0 });
  const unknown = await sortie.ask([...flags, "--set", "foo=bar"]);
  expect(unknown.error.hint).toBe("Write --set key=value.");
});
