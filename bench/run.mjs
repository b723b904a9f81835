// Measures what contributing/BENCHMARKS.md says, on the built product: `npm run bench`, or `npm run bench -- launch tail`.
import { existsSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

const SHORT =
  "start-up environment launch follow tail tunnel idle-agents gateway-api metrics recording ssh ssh-sync ssh-status".split(
    " ",
  );
/** Too long for every time: run where they are named. */
const LONG = ["idle-agents-in-earnest"];

const wanted = process.argv.slice(2);
const known = [...SHORT, ...LONG];
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) giveUp(`there is no benchmark ${unknown.join(", ")}`, `Known: ${known.join(", ")}`);
if (!existsSync(new URL("../dist/commands/help.cjs", import.meta.url)))
  giveUp("sortie is not built", "Build it: npm run build");

console.log(describeMachine());
let held = true;
for (const name of wanted.length > 0 ? wanted : SHORT) {
  const { run } = await import(`./${name}.mjs`);
  console.log(`\n${name}`);
  held = (await run()) && held;
}
process.exitCode = held ? 0 : 1;

/** The load tells how much others do on it: ratios bear that, milliseconds do not. */
function describeMachine() {
  const date = new Date().toISOString().slice(0, 10);
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const load = `load ${loadavg()[0].toFixed(1)}`;
  return [date, `${cpus().length} cores`, memory, `Node ${process.versions.node}`, load].join(", ");
}

function giveUp(problem, advice) {
  console.error(`error: ${problem}.\n${advice}`);
  process.exit(2);
}
