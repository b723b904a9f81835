import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { quoteShell } from "../../src/base/quote.ts";
import type { useContractStage } from "./contract-stage.ts";
import { findWorkProcesses } from "./target-places.ts";
import { waitFor } from "./wait-for.ts";

/** A project whose environment is built on its host for as long as the test wants. */
export function makeSlowBuild(stage: ReturnType<typeof useContractStage>) {
  const [started, go] = [() => stage.onHost("building"), () => stage.onHost("go")];
  return {
    writeProject() {
      stage.addWheel({ name: "alpha", version: "1.0" });
      stage.write({ "train.py": "import alpha" });
      stage.writePlaces();
      const wait = `echo built >>${quoteShell(started())}; until [ -e ${quoteShell(go())} ]; do sleep 0.05; done`;
      const smoke = { import_names: ["alpha"] };
      stage.writeSpec({ pip_phases: [stage.makePhase("alpha")], run_commands: [wait], smoke });
    },
    waitForBuild: () => waitFor(() => existsSync(started()), { timeoutMs: 30_000, what: "the build" }),
    /** Lets it come to its end, and every later one. */
    goOn: () => writeFileSync(go(), ""),
    /** Of all that was begun, those that have a log. */
    countBuilds: () => readdirSync(`${stage.envs()}/logs`).filter((name) => name.endsWith(".log")).length,
    /** Processes of builds, by what their shells are called. */
    listBuilders: () =>
      findWorkProcesses().filter(({ command }) => /until \[ -e|^sh -s [a-z0-9]{16}/.test(command)),
  };
}
