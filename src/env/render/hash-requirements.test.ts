import { expect, test } from "vitest";
import type { EnvSpec } from "../spec/env-spec.ts";
import { hashRequirements } from "./hash-requirements.ts";

const spec = (...phases: string[][]): EnvSpec => ({
  ...{ base: null, systemPkgs: [], pipPhases: phases, env: {}, runCommands: [], weightDirs: [] },
  smoke: { importNames: [], gpuTests: [], cliChecks: [] },
});
const hash = (files: Record<string, string>, phases = [["-r requirements.txt"]]) =>
  hashRequirements(spec(...phases), (path) => files[path] ?? expect.fail(`asked for ${path}`));

const TEXT = "numpy==1.26.4\n\n# for the plots\ntorch==2.4.0 # pinned\n";

test("is null for a spec that names no file", () => {
  expect(hash({}, [["numpy"], ["-r https://files.example/r.txt"]])).toBeNull();
});

test.each([
  ["a comment", "# new\nnumpy==1.26.4\ntorch==2.4.0 # other\n"],
  ["the order", "torch==2.4.0\nnumpy==1.26.4\n"],
  ["blank lines, line ends, white space", "\r\n  numpy==1.26.4 \r\n\r\ntorch==2.4.0"],
  ["a continued line", "numpy\\\n==1.26.4\ntorch==2.4.0\n".replace("numpy\\\n", "# none \\\nnumpy")],
  ["a byte order mark", `\uFEFF${TEXT}`],
])("does not change with %s", (_, text) => {
  const first = hash({ "requirements.txt": TEXT });
  expect(first).toMatch(/^[0-9a-f]{8}$/);
  expect(hash({ "requirements.txt": text })).toBe(first);
});

test("changes with a pin, here and in a file that is named by the file", () => {
  const files = {
    "needs/all.txt": "-r ../base.txt\n-c limits.txt\nscipy",
    "base.txt": "numpy==1.0",
    "needs/limits.txt": "a<2",
  };
  const phases = [["-r ./needs/all.txt"]];
  const read = (changes: Record<string, string>) =>
    hashRequirements(spec(...phases), (path) => ({ ...files, ...changes })[path] ?? expect.fail(path));
  expect(read({ "base.txt": "numpy==1.0 # c" })).toBe(read({}));
  expect(read({ "base.txt": "numpy==1.1" })).not.toBe(read({}));
  expect(read({ "needs/limits.txt": "a<3" })).not.toBe(read({}));
});

test("bears files that name each other", () => {
  const files = { "requirements.txt": "-r other.txt", "other.txt": "-r requirements.txt\nnumpy" };
  expect(hash(files)).toMatch(/^[0-9a-f]{8}$/);
});
