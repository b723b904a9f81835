import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { useContractProject } from "../support/contract-project.ts";
import { waitFor } from "../support/wait-for.ts";

const project = useContractProject();
const FLAGS = ["run", "--target", "local", "--gpus", "none", "--name", "called", "--yes"];

it.each([
  { what: "a build", spec: { run_commands: ["touch begun; sleep 600"] } },
  { what: "a tier", spec: { smoke: { cli_checks: ["touch begun; sleep 600"] } } },
])("Ctrl-C while $what is made for a run ends it, and the run is stopped", async ({ spec }) => {
  project.writeSpec({ base: project.makeQuickBase(), ...spec });
  const started = project.sortie.start([...FLAGS, "--", "touch", "ran"]);
  await waitFor(() => existsSync(project.inProject("begun")), { timeoutMs: 60_000, what: "the step" });
  started.kill("SIGINT");
  expect(await started.exitCode).toBe(130);
  const { runs } = await project.sortie.ask(["ls"]);
  expect(runs).toMatchObject([{ name: "called", state: "stopped" }]);
  expect(existsSync(project.inProject("ran"))).toBe(false);
  // A build that was called off leaves no folder, and what was built stays.
  expect(project.listBuilds()).toHaveLength("run_commands" in spec ? 0 : 1);
});
