import { spawnSync } from "node:child_process";
import { describeRatios, describeValues } from "./quantiles.mjs";
import { printLine } from "./report.mjs";
import { SORTIE } from "./workspace.mjs";

/** The case that whole commands are compared with. */
const BASE = "node -e 0";

/** Cases that time whole commands from their start to their end: `words` are those of `sortie`, by name. */
export function makeCommandCases(workspace, words) {
  const node = [process.execPath, "-e", "0"];
  const sorties = Object.entries(words).map(([name, args]) => [name, [...SORTIE, ...args]]);
  return Object.fromEntries(
    [[BASE, node], ...sorties].map(([name, argv]) => [name, () => timeCommand(workspace, argv)]),
  );
}

export function timeCommand({ env, project }, [program, ...args]) {
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(program, args, { env, cwd: project, maxBuffer: 2 ** 30 });
  const tookMs = performance.now() - startedMs;
  if (status !== 0) throw new Error(`${args.join(" ")}: exit ${status}\n${stderr}`);
  return tookMs;
}

/** Prints each case as a multiple of a Node that does nothing; false: a promised figure was missed. */
export function reportCommands(times, most) {
  const base = times[BASE];
  printLine({ label: BASE, figure: describeValues(base).median, unit: " ms" });
  const held = Object.entries(times).map(([name, values]) => {
    if (values === base) return true;
    const { median, p10, p90 } = describeRatios(values, base);
    const detail = `${describeValues(values).median.toFixed(0)} ms`;
    return printLine({ label: name, figure: median, unit: " ×", p10, p90, most: most[name], detail });
  });
  return held.every(Boolean);
}
