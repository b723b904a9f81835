import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { chooseSpec, listSpecs, placeNewSpec } from "./find-spec.ts";

const folder = useTempFolder();

const make = (name: string, files: readonly string[]) => {
  const project = join(folder(), name);
  for (const file of ["x", ...files].map((path) => join(project, path))) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "{}");
  }
  return project;
};
const refuse = (project: string, wanted: string | null) => {
  try {
    return chooseSpec(project, wanted);
  } catch (fault) {
    return fault;
  }
};

it("is the only one, named after its project", () => {
  const project = make("my project (2)", ["env-spec.yaml"]);
  expect(chooseSpec(project, null)).toEqual({ name: "my-project-2", path: join(project, "env-spec.yaml") });
});

it("is none where the project has none", () => {
  expect(chooseSpec(make("plain", ["environment.yml"]), null)).toBeNull();
  expect(chooseSpec(join(folder(), "gone"), null)).toBeNull();
});

it("is named, by name or by path, where there are several", () => {
  const project = make("several", ["env-specs/eval.yml", "env-specs/train.yaml", "tiny.env-spec.json"]);
  expect(listSpecs(project).map(({ name }) => name)).toEqual(["eval", "tiny", "train"]);
  expect(chooseSpec(project, "train")?.path).toBe(join(project, "env-specs/train.yaml"));
  expect(chooseSpec(project, "env-specs/eval.yml")?.name).toBe("eval");
  expect(refuse(project, null)).toMatchObject({ code: "spec_ambiguous", exit: 2 });
  expect(refuse(project, "trian")).toMatchObject({ code: "spec_missing", exit: 2 });
  expect(String(refuse(project, "trian"))).toContain("eval, tiny, train");
});

it("is refused where two files are of one name, both named", () => {
  const project = make("twice", ["env-spec.yaml", "env-spec.json"]);
  const fault = refuse(project, null);
  expect(fault).toMatchObject({ code: "spec_doubled" });
  expect(String(fault)).toMatch(/env-spec\.json.*env-spec\.yaml|env-spec\.yaml.*env-spec\.json/);
});

it("is written where it will be found", () => {
  const project = make("new", []);
  expect(placeNewSpec(project, null)).toEqual({ name: "new", path: join(project, "env-spec.yaml") });
  expect(placeNewSpec(project, "eval")).toEqual({ name: "eval", path: join(project, "env-specs/eval.yaml") });
});
