import { fileURLToPath } from "node:url";
import { makeOutsideBoard, startChallenge } from "./support/hosted/challenge.mjs";
import { makeLoad } from "./support/hosted/load.mjs";
import { describeRatios, describeValues } from "./support/quantiles.mjs";
import { printLine } from "./support/report.mjs";
import { measureRounds } from "./support/rounds.mjs";
import { startHop } from "./support/tunnel/processes.mjs";

const ROUNDS = 20;
const LOAD = { connections: 16, requests: 400 };
const JOBS = 100;
const ROUTES = {
  "current-user-info": "/challenge/current-user-info",
  quota: "/challenge/submission/quota",
  "jobs, a page of 20": "/challenge/jobs?page=1&per-page=20",
  "leaderboard, top 5": "/challenge/leaderboard/top5",
};
const BARE = fileURLToPath(new URL("support/hosted/bare-fastify.mjs", import.meta.url));

/** Requests a second to the API of a hosted gateway with some jobs, against a bare route of Fastify. */
export async function run() {
  const opened = [];
  const keep = async (thing) => opened.push(await thing) && thing;
  try {
    const bare = await keep(startHop([process.execPath, BARE]));
    const challenge = await keep(startChallenge({ boards: { board: makeOutsideBoard() } }));
    for (let made = 0; made < JOBS; made += 1) await challenge.submit("board");
    const loads = { bare: makeLoad(`${bare.said.url}/bare`, {}, LOAD) };
    for (const [name, path] of Object.entries(ROUTES))
      loads[name] = makeLoad(`${challenge.said.api}/api${path}`, challenge.login, LOAD);
    const cases = Object.fromEntries(Object.entries(loads).map(([name, load]) => [name, load.run]));
    const rates = await measureRounds(ROUNDS, cases);
    for (const load of Object.values(loads)) load.close();
    report(rates);
    return true;
  } finally {
    for (const thing of opened.reverse()) await thing.stop();
  }
}

function report({ bare, ...routes }) {
  printLine({ label: "a bare route, requests a second", figure: describeValues(bare).median, unit: "" });
  for (const [name, rates] of Object.entries(routes)) {
    const { median: figure, p10, p90 } = describeRatios(rates, bare);
    const detail = `${describeValues(rates).median.toFixed(0)} a second`;
    printLine({ label: name, figure, unit: " × bare", p10, p90, detail });
  }
}
