import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fillStore } from "./support/fill-store.mjs";
import { describeDifferences, describeRatios, describeValues } from "./support/quantiles.mjs";
import { printLine } from "./support/report.mjs";
import { measureRounds } from "./support/rounds.mjs";
import { startSshHosts } from "./support/ssh-hosts.mjs";
import { openWorkspace, SORTIE } from "./support/workspace.mjs";

const ROUNDS = 10;
const HOSTS = Array.from({ length: 10 }, (_, number) => `box${number}`);
const DEAD = HOSTS.at(-1);
const MANY = 100;
/** A host that is known to be silent is asked all the same, and waited for so long. */
const MOST_MS_FOR_DEAD = 1500;

/** `sortie ls` with one live run on a server, with 100 there, and with one on each of ten servers of which one hangs. */
export async function run() {
  const workspace = openWorkspace();
  const hosts = await startSshHosts(workspace, { aliases: HOSTS.slice(0, -1), dead: [DEAD] });
  try {
    const place = { ...workspace, hosts };
    const id = launchSleep(place);
    const times = await measureRounds(ROUNDS, {
      "one run": () => timeList(place, id, 1),
      [`${MANY} runs of one host`]: () => timeList(place, id, MANY),
      "ten hosts": () => timeList(place, id, HOSTS.length - 1, spreadOver(HOSTS.slice(0, -1))),
      "ten hosts, one of them hangs": () => timeList(place, id, HOSTS.length, spreadOver(HOSTS)),
    });
    forgetCopies(place, id);
    return report(times);
  } finally {
    await workspace.close();
    await hosts.stop();
  }
}

function launchSleep({ env, project, hosts }) {
  const lines = [
    "## Remote Server",
    `- SSH: \`ssh ${HOSTS[0]}\``,
    `- Code dir: \`${hosts.home}/sortie/\``,
    "",
  ];
  writeFileSync(join(project, "AGENTS.md"), lines.join("\n"));
  const flags = ["--json", "--yes", "--detach", "--gpus", "none"];
  return JSON.parse(call({ env, project }, ["run", ...flags, "--", "sleep", "3600"])).run.id;
}

/** Every copy of the run stands for one on another of the hosts: to ssh they are different ones. */
function spreadOver(hosts) {
  return (record, number) => {
    const destination = hosts[number];
    if (!record.remote) return { ...record, host: destination };
    const address = { ...record.remote.address, destination };
    const reachable = destination !== DEAD;
    return { ...record, host: destination, reachable, remote: { ...record.remote, address } };
  };
}

function timeList(place, id, count, change) {
  forgetCopies(place, id);
  if (count > 1) fillStore(place.desk, count, change);
  const startedMs = performance.now();
  call(place, ["ls"]);
  return performance.now() - startedMs;
}

function forgetCopies({ desk }, id) {
  desk.store.change("DELETE FROM runs WHERE id != ?", id);
}

function call({ env, project }, args) {
  const [program, ...rest] = [...SORTIE, ...args];
  const { status, stdout, stderr } = spawnSync(program, rest, { env, cwd: project, encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`sortie ${args.join(" ")}: exit ${status}\n${stdout}${stderr}`);
}

function report({ "one run": one, [`${MANY} runs of one host`]: many, "ten hosts": ten, ...rest }) {
  const [dead] = Object.values(rest);
  printLine({ label: "sortie ls, one run on one host", figure: describeValues(one).median, unit: " ms" });
  const ofMany = describeRatios(many, one);
  const ofTen = describeRatios(ten, one);
  const ofDead = describeDifferences(dead, ten);
  return [
    printLine({ label: `${MANY} runs there, in one question`, ...spread(ofMany), unit: " ×" }),
    printLine({ label: "one run on each of nine hosts", ...spread(ofTen), unit: " ×" }),
    printLine({
      label: "and a tenth that is silent",
      ...spread(ofDead),
      unit: " ms more",
      most: MOST_MS_FOR_DEAD,
    }),
  ].every(Boolean);
}

function spread({ median, p10, p90 }) {
  return { figure: median, p10, p90 };
}
