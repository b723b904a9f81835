import { expect, it } from "vitest";
import type { EnvSpec } from "../spec/env-spec.ts";
import { bindToFolder } from "./bind-to-folder.ts";

const SPEC: EnvSpec = {
  ...{ base: null, systemPkgs: [], pipPhases: [], env: {}, runCommands: [], weightDirs: [] },
  smoke: { importNames: [], gpuTests: [], cliChecks: [] },
};
const bind = (spec: Partial<EnvSpec>, folder = "/a", requirements: readonly string[] = []) =>
  bindToFolder(null, { spec: { ...SPEC, ...spec }, requirements, folder });

it.each([
  { pipPhases: [["-e", "."]] },
  { pipPhases: [["numpy"], ["-e ./part"]] },
  { pipPhases: [[".[train]"]] },
  { runCommands: ["pip install -e ."] },
  { runCommands: ["python setup.py develop"] },
])("%j holds parts of its project, and is bound to its folder", (spec) => {
  expect(bind(spec)).toMatch(/^[0-9a-f]{8}$/);
  expect(bind(spec, "/a")).toBe(bind(spec));
  expect(bind(spec, "/b")).not.toBe(bind(spec));
});

it("is bound by a requirement file as well, and what comes from elsewhere binds nothing", () => {
  expect(bind({}, "/a", ["six", "-e ."])).not.toBeNull();
  expect(bind({ pipPhases: [["six"], ["--find-links", "./wheels", "torch"], ["-r", "r.txt"]] })).toBeNull();
  expect(bind({ pipPhases: [["-e", "git+https://example.org/a.git#egg=a"]] })).toBeNull();
  expect(bind({ runCommands: ["python -c 'import numpy'", "echo done."] }, "/a", ["# -e ."])).toBeNull();
});
