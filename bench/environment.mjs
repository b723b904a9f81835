import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCommandCases, reportCommands, timeCommand } from "./support/commands.mjs";
import { measureRounds } from "./support/rounds.mjs";
import { openWorkspace, SORTIE } from "./support/workspace.mjs";

const ROUNDS = 30;
const HERE = ["--target", "local"];

/** What is promised, as multiples of `node -e 0`, which takes 60 ms and more: less than a second. */
const MOST = { "sortie env build, nothing to do": 10, "sortie env check": 10 };

/** What it takes to see that an environment under contract is ready, against a Node that does nothing. */
export async function run() {
  const workspace = openWorkspace();
  try {
    const spec = { smoke: { import_names: ["json"] } };
    writeFileSync(join(workspace.project, "env-spec.json"), JSON.stringify(spec));
    timeCommand(workspace, [...SORTIE, "env", "build", ...HERE, "--yes"]);
    timeCommand(workspace, [...SORTIE, "env", "verify", ...HERE, "--yes"]);
    const cases = makeCommandCases(workspace, {
      "sortie env hash": ["env", "hash", "env-spec.json"],
      "sortie env check": ["env", "check", ...HERE],
      "sortie env build, nothing to do": ["env", "build", ...HERE],
    });
    return reportCommands(await measureRounds(ROUNDS, cases), MOST);
  } finally {
    await workspace.close();
  }
}
