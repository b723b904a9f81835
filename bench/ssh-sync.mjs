import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeRatios, describeValues } from "./support/quantiles.mjs";
import { printLine } from "./support/report.mjs";
import { measureRounds } from "./support/rounds.mjs";
import { waitForQuiet } from "./support/runs.mjs";
import { startSshHosts } from "./support/ssh-hosts.mjs";
import { openWorkspace, SORTIE } from "./support/workspace.mjs";

const ROUNDS = 5;
const FOLDERS = 100;
const FILES_EACH = 100;
/** What `true` takes to be launched, and looked on for a second, stands beside it: the rest is the sync. */
const TRUE = ["--", "sleep", "30"];

/** 10,000 small files to a server: Sortie's launch with its checks by hash, against bare rsync of the same folder. */
export async function run() {
  const workspace = openWorkspace();
  const hosts = await startSshHosts(workspace, { aliases: ["box"] });
  try {
    const place = { ...workspace, hosts };
    makeProject(place);
    return report(await measureRounds(ROUNDS, makeCases(place)));
  } finally {
    await workspace.close();
    await hosts.stop();
  }
}

function makeProject({ project, hosts }) {
  const lines = ["## Remote Server", "- SSH: `ssh box`", `- Code dir: \`${hosts.home}/sortie/\``, ""];
  writeFileSync(join(project, "AGENTS.md"), lines.join("\n"));
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(project, `package${folder}`));
    for (let file = 0; file < FILES_EACH; file += 1) {
      writeFileSync(
        join(project, `package${folder}`, `module${file}.py`),
        `# ${folder} ${file}\n`.repeat(40 + file),
      );
    }
  }
}

function makeCases(place) {
  const to = { rsync: join(place.hosts.home, "bare"), sortie: join(place.hosts.home, "sortie") };
  return {
    "rsync -a, first": () => timeRsync(place, forget(to.rsync)),
    "rsync -a, nothing to do": () => timeRsync(place, to.rsync),
    "sortie, first": () => timeSortie(place, forget(to.sortie)),
    "sortie, nothing to do": () => timeSortie(place, to.sortie),
  };
}

function forget(folder) {
  rmSync(folder, { recursive: true, force: true });
  return folder;
}

function timeRsync({ env, project, hosts }, to) {
  const startedMs = performance.now();
  const rsh = ["-e", `ssh -F ${hosts.configFile}`];
  const { status, stderr } = spawnSync("rsync", ["-a", ...rsh, "./", `box:${to}/`], { env, cwd: project });
  if (status !== 0) throw new Error(`rsync: ${stderr}`);
  return performance.now() - startedMs;
}

/** All of a launch but the second in which it is looked on. */
async function timeSortie(place) {
  const startedMs = performance.now();
  const argv = [...SORTIE, "run", "--json", "--yes", "--detach", "--gpus", "none", ...TRUE];
  const { env, project } = place;
  const { status, stdout } = spawnSync(argv[0], argv.slice(1), { env, cwd: project, encoding: "utf8" });
  if (status !== 0) throw new Error(`sortie run: ${stdout}`);
  const tookMs = performance.now() - startedMs - 1000;
  const { id } = JSON.parse(stdout).run;
  spawnSync(SORTIE[0], [...SORTIE.slice(1), "stop", id, "--grace", "1s"], { env });
  await waitForQuiet(place, id);
  return tookMs;
}

function report(times) {
  const pairs = [
    ["first", times["sortie, first"], times["rsync -a, first"]],
    ["nothing to do", times["sortie, nothing to do"], times["rsync -a, nothing to do"]],
  ];
  for (const [what, own, bare] of pairs) {
    printLine({ label: `rsync -a, ${what}`, figure: describeValues(bare).median, unit: " ms" });
    const { median, p10, p90 } = describeRatios(own, bare);
    const detail = `${describeValues(own).median.toFixed(0)} ms`;
    printLine({ label: `a whole launch, ${what}`, figure: median, p10, p90, unit: " ×", detail });
  }
  return true;
}
