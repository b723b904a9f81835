import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { useContractProject } from "../support/contract-project.ts";

const project = useContractProject();
const RUN = ["touch", "ran"];
const expectNothing = async () => {
  expect(existsSync(project.inProject("ran"))).toBe(false);
  expect(project.listBuilds()).toEqual([]);
  expect(existsSync(project.envs("my-project"))).toBe(false);
  expect((await project.sortie.ask(["ls", "--all"])).runs).toMatchObject([
    { state: "failed", endReason: "launch_failed" },
  ]);
};

it("a phase of pip that fails is named with its log and a way out; what was built before it is gone", async () => {
  project.addWheel("one", "1.0");
  const writeSpec = (wanted: string) =>
    project.writeSpec({
      base: project.makeQuickBase(),
      pip_phases: [project.pip("one"), project.pip(wanted)],
    });
  writeSpec("no-such-package==2.0");
  const refused = await project.run(RUN);
  expect(refused).toMatchObject({
    exit: 5,
    error: { code: "environment_build_failed", details: { step: "pip 2" } },
  });
  expect(refused.error.hint).toMatch(/--gotcha '.*no-such-package==2\.0/);
  const { log } = refused.error.details;
  expect(readFileSync(log, "utf8")).toContain("Successfully installed one-1.0");
  await expectNothing();
  const shown = await project.sortie.run([
    "run",
    "--target",
    "local",
    "--gpus",
    "none",
    "--yes",
    "--",
    ...RUN,
  ]);
  expect(shown.exitCode).toBe(5);
  expect(shown.stdout).toMatch(/step 3 of 3: pip 2/);

  expect(await project.plan()).toMatchObject({ action: "build", why: "it is not there yet" });
  writeSpec("one==1.0");
  expect(await project.run(RUN)).toMatchObject({ exit: 0 });
});

it("a pip without a network says so", async () => {
  project.writeSpec({
    base: project.makeQuickBase(),
    pip_phases: [["--retries", "1", "--index-url", "http://127.0.0.1:9/simple", "one"]],
  });
  const refused = await project.run(RUN);
  expect(refused).toMatchObject({
    exit: 5,
    error: { code: "environment_build_failed", details: { step: "pip 1" } },
  });
  expect(refused.error.hint).toMatch(/reached no index|network|proxy/i);
  await expectNothing();
});

it("a command of its own that fails, and a Python that is not there, are told as such", async () => {
  project.writeSpec({ base: project.makeQuickBase(), run_commands: ["echo all is lost >&2; exit 7"] });
  const refused = await project.run(RUN);
  expect(refused).toMatchObject({
    exit: 5,
    error: { code: "environment_build_failed", details: { step: "run 1" } },
  });
  expect(String(refused.error.details.code)).toBe("7");
  expect(refused.error.details.tail.join("\n")).toContain("all is lost");
  await expectNothing();
  project.writeSpec({ base: "python:3.99" });
  const missing = await project.run(RUN);
  expect(missing).toMatchObject({
    exit: 5,
    error: { code: "environment_build_failed", details: { step: "python" } },
  });
  expect(`${missing.error.message} ${missing.error.hint}`).toContain("3.99");
});

it("what `sortie env init` drafts builds and runs", async () => {
  project.addWheel("one", "1.0");
  project.write("requirements.txt", "one==1.0  # ours\n");
  expect(await project.sortie.ask(["env", "init"])).toMatchObject({ exit: 3 });
  expect(existsSync(project.inProject("env-spec.yaml"))).toBe(false);
  const drafted = await project.sortie.ask(["env", "init", "--yes"]);
  expect(drafted).toMatchObject({ exit: 0, name: "my-project" });
  expect(await project.sortie.ask(["env", "init", "--yes"])).toMatchObject({
    exit: 2,
    error: { code: "spec_there" },
  });
  project.writeSpec(
    drafted.spec.replace(/^(# )?base: .*$/m, `base: ${JSON.stringify(project.makeQuickBase())}`),
  );
  const env = { PIP_NO_INDEX: "1", PIP_FIND_LINKS: `file://${encodeURI(project.wheels())}` };
  const ran = await project.run(["python", "-c", "import one; print(one.version)"], undefined, { env });
  expect(ran).toMatchObject({ exit: 0, printed: "1.0" });
});
