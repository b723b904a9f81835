import { expect, it } from "vitest";
import { useContractProject } from "../support/contract-project.ts";

const project = useContractProject();

it("of requirement files that changed since is refused, and builds nothing", async () => {
  project.addWheel("one", "1.0");
  project.write("needs.txt", "one==1.0\n");
  project.writeSpec({
    base: project.makeQuickBase(),
    pip_phases: [["--no-index", "--find-links", project.wheels(), "-r", "needs.txt"]],
  });
  const planned = await project.sortie.ask(["env", "build", "--target", "local"]);
  project.write("needs.txt", "one\n");
  const confirmed = await project.sortie.ask(["confirm", planned.plan.id]);
  expect(confirmed).toMatchObject({ exitCode: 4, error: { code: "plan_stale" } });
  expect(confirmed.error.message).toMatch(/requirement files .* have changed/);
  expect(project.listBuilds()).toEqual([]);
});
