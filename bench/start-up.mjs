import { makeCommandCases, reportCommands } from "./support/commands.mjs";
import { fillStore } from "./support/fill-store.mjs";
import { measureRounds } from "./support/rounds.mjs";
import { launchRun, waitForQuiet } from "./support/runs.mjs";
import { openWorkspace } from "./support/workspace.mjs";

const ROUNDS = 40;
const RUNS = 10_000;

/** The figures that are promised, as multiples of `node -e 0`. */
const MOST = { "sortie --help": 1.5, "sortie ls": 2.5 };

/** How long a command takes from its start to its end, against a Node that does nothing. */
export async function run() {
  const workspace = openWorkspace();
  try {
    const { id } = launchRun(workspace, ["true"]);
    await waitForQuiet(workspace, id);
    fillStore(workspace.desk, RUNS);
    const cases = makeCommandCases(workspace, {
      "sortie --help": ["--help"],
      "sortie ls": ["ls"],
      "sortie ls --json": ["ls", "--json"],
      "sortie show": ["show", id],
      "sortie run --help": ["run", "--help"],
    });
    return reportCommands(await measureRounds(ROUNDS, cases), MOST);
  } finally {
    await workspace.close();
  }
}
