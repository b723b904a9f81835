import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { PYTHON_WITH_NUMPY, useContractProject } from "../support/contract-project.ts";

const project = useContractProject();
const prefix = () => project.inProject("my venv");
const ask = (...args: string[]) => project.sortie.ask(args);
const run = (command: readonly string[], ...flags: string[]) =>
  project.sortie.ask(["run", "--yes", "--gpus", "none", ...flags, "--", ...command]);

beforeEach(() => {
  execFileSync(PYTHON_WITH_NUMPY, ["-m", "venv", "--without-pip", prefix()]);
  const packages = execFileSync(PYTHON_WITH_NUMPY, [
    "-c",
    'import sysconfig; print(sysconfig.get_path("purelib"))',
  ]);
  writeFileSync(join(findSite(), "tests.pth"), packages);
  writeFileSync(join(findSite(), "mine.py"), "");
  project.write("AGENTS.md", "## Local Environment\n- venv: `my venv`\n");
  project.write("README.md", "```sh sortie-check\npython -c 'import mine, sys; print(sys.prefix)'\n```\n");
  project.writeSpec({
    pip_phases: [["numpy"]],
    env: { MODE: "spec" },
    run_commands: ["touch ran"],
    smoke: { import_names: ["numpy", "mine"] },
  });
});

it("a person's own environment is checked and shows what it can, and is never changed", async () => {
  const before = hashFolder(prefix());
  const planned = await ask("run", "--gpus", "none", "--", "true");
  expect(planned.plan.terms.environment.contract).toMatchObject({ owner: "person", action: "check" });
  const first = await run(["sh", "-c", 'echo "$MODE"; python -c "import sys; print(sys.prefix)"']);
  expect(first).toMatchObject({ exit: 0, run: { state: "succeeded" } });
  expect(readFileSync(first.run.log, "utf8")).toBe(`spec\n${prefix()}\n`);
  expect(project.readTries()).toEqual(["1 passed", "2 passed", "3 passed"]);
  expect(project.readLedger()).toMatch(/^### env: my-project@[0-9a-f]{8}\n- how: made by hand/);
  expect(await ask("env", "check")).toMatchObject({
    exit: 0,
    environment: { owner: "person" },
    trusted: true,
  });
  expect(await ask("env", "build", "--yes")).toMatchObject({ exit: 0 });
  expect(await ask("env", "verify", "--yes", "--again")).toMatchObject({ exit: 0 });
  expect(hashFolder(prefix())).toBe(before);
  expect(project.listBuilds()).toEqual([]);
  expect(readdirSync(project.inProject())).not.toContain("ran");
});

it("what is installed in it makes it due again", async () => {
  expect(await run(["true"])).toMatchObject({ exit: 0 });
  expect(await ask("env", "check")).toMatchObject({ exit: 0, due: [] });
  const info = join(findSite(), "more-1.0.dist-info");
  mkdirSync(info);
  writeFileSync(join(info, "METADATA"), "Metadata-Version: 2.1\nName: more\nVersion: 1.0\n");
  const checked = await ask("env", "check");
  expect(checked).toMatchObject({ exit: 1, trusted: false });
  expect(checked.due.map(({ tier }: { tier: number }) => tier)).toEqual([1, 2, 3]);
  expect(checked.due[0].why).toBe("what is installed in it has changed");
  expect(await run(["true"])).toMatchObject({ exit: 0 });
  expect(project.readTries()).toHaveLength(6);
  rmSync(info, { recursive: true });
  // As it was: what it showed then still counts.
  expect(await ask("env", "check")).toMatchObject({ exit: 0 });
});

it("that lacks what it must import keeps a run from starting", async () => {
  project.writeSpec({ smoke: { import_names: ["numpy", "no_such_module"] } });
  const before = hashFolder(prefix());
  const refused = await run(["touch", "ran"]);
  expect(refused).toMatchObject({ exit: 5, error: { code: "environment_unverified", details: { tier: 1 } } });
  expect(refused.error.message).toContain("No module named 'no_such_module'");
  expect(readdirSync(project.inProject())).not.toContain("ran");
  expect(hashFolder(prefix())).toBe(before);
  expect(await run(["touch", "ran"], "--unverified")).toMatchObject({ exit: 0 });
});

it("that is not there is an error before anything starts", async () => {
  rmSync(prefix(), { recursive: true });
  expect(await run(["true"])).toMatchObject({ exit: 2, error: { code: "environment_missing" } });
  expect((await ask("ls", "--all")).runs).toEqual([]);
});

function findSite(): string {
  const [python = ""] = readdirSync(join(prefix(), "lib"));
  return join(prefix(), "lib", python, "site-packages");
}

/** Every file with its content, mode and time, and every folder. */
function hashFolder(root: string): string {
  const hash = createHash("sha256");
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    const { mode, mtimeMs } = lstatSync(join(root, path));
    hash.update(`${path} ${mode} ${mtimeMs}\n`);
    if (lstatSync(join(root, path)).isFile()) hash.update(readFileSync(join(root, path)));
    if (lstatSync(join(root, path)).isSymbolicLink()) hash.update(readlinkSync(join(root, path)));
  }
  return hash.digest("hex");
}
