import { spawnSync } from "node:child_process";
import { fillStore } from "./support/fill-store.mjs";
import { describeRatios, describeValues } from "./support/quantiles.mjs";
import { printLine } from "./support/report.mjs";
import { measureRounds } from "./support/rounds.mjs";
import { launchRun, waitForQuiet } from "./support/runs.mjs";
import { openWorkspace, SORTIE } from "./support/workspace.mjs";

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
    return report(await measureRounds(ROUNDS, makeCases(workspace, id)));
  } finally {
    await workspace.close();
  }
}

function makeCases(workspace, id) {
  const sortie =
    (...args) =>
    () =>
      timeCommand(workspace, [...SORTIE, ...args]);
  return {
    "node -e 0": () => timeCommand(workspace, [process.execPath, "-e", "0"]),
    "sortie --help": sortie("--help"),
    "sortie ls": sortie("ls"),
    "sortie ls --json": sortie("ls", "--json"),
    "sortie show": sortie("show", id),
    "sortie run --help": sortie("run", "--help"),
  };
}

function timeCommand({ env, project }, [program, ...args]) {
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(program, args, { env, cwd: project, maxBuffer: 2 ** 30 });
  const tookMs = performance.now() - startedMs;
  if (status !== 0) throw new Error(`${args.join(" ")}: exit ${status}\n${stderr}`);
  return tookMs;
}

function report(times) {
  const base = times["node -e 0"];
  printLine({ label: "node -e 0", figure: describeValues(base).median, unit: " ms" });
  const held = Object.entries(times).map(([name, values]) => {
    if (values === base) return true;
    const { median, p10, p90 } = describeRatios(values, base);
    const detail = `${describeValues(values).median.toFixed(0)} ms`;
    return printLine({ label: name, figure: median, unit: " ×", p10, p90, most: MOST[name], detail });
  });
  return held.every(Boolean);
}
