import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { listAttempts } from "../../src/gateway/records/attempts.ts";
import { listCases } from "../../src/gateway/records/cases.ts";
import { makePlainHandler, patientTimers, useAgents } from "../support/agents.ts";
import { logIn, PASSWORD, useChallenge, waitForEnd } from "../support/challenge.ts";
import { makeFakeGpus } from "../support/fake-gpus.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { useSortie } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

/** The example that solves the simulator. */
const solver = new URL("../../examples/reach/solve.mjs", import.meta.url).href;
const { handle }: { handle: (sessionId: string, frame: Uint8Array) => Uint8Array } = await import(solver);

const AGENTS = 4;
const CASES = 12;
/** Cases take their time, so that the gateway is killed before the last of them. */
const ANSWER_MS = 80;

const challenge = useChallenge();
const sortie = useSortie();
const startAgent = useAgents();

const values = {
  boards: { manip: { simulator: "reach", steps: 6, tasks: { far: { cases: CASES, seed: 7 } } } },
  parallelism: AGENTS,
  simulators: { workers: AGENTS },
  timers: { ping: "1s", read_deadline: "20s", window: "20s", drain: "20s" },
};

/** A contestant who has not logged in yet, on a machine with as many idle GPUs as agents, whose policy answers once it may. */
function makeContestant(api: string) {
  const machine = makeFakeGpus(sortie.temp(), { gpus: Array.from({ length: AGENTS }, () => ({})) });
  writeFileSync(
    join(sortie.project(), "policy.mjs"),
    `import { existsSync } from "node:fs";
import { handle as solve } from ${JSON.stringify(solver)};
export async function handle(sessionId, frame) {
  if (frame.length === 0) return frame;
  do await new Promise((resolve) => setTimeout(resolve, ${ANSWER_MS}));
  while (!existsSync("open"));
  return solve(sessionId, frame);
}
`,
  );
  const foreign = ["JOB_TOKEN", "JOB_UUID", "CHALLENGE_TOKEN", "TUNNEL_ENDPOINT", "PARALLELISM"];
  return {
    ...Object.fromEntries([...foreign, "CUDA_VISIBLE_DEVICES"].map((name) => [name, undefined])),
    ...machine.env,
    ...{ SORTIE_CHALLENGE_URL: api, CHALLENGE_EMAIL: "ann@example.org", CHALLENGE_PASSWORD: PASSWORD },
  };
}

/** The same job with nothing in its way, played by agents in this process; its score. */
async function playCalmly(api: string): Promise<number> {
  await challenge.addUser("calm@example.org");
  const calm = await logIn(api, "calm@example.org");
  const job = await calm.submit("manip");
  for (let agent = 0; agent < AGENTS; agent += 1) {
    startAgent({
      ...{ gatewayUrl: job.tunnel_endpoint, jobUuid: job.uuid, token: job.job_token, timers: patientTimers },
      handler: makePlainHandler({ handle: async (_, payload) => handle("", payload) }),
    });
  }
  return (await waitForEnd(calm, job.id)).score;
}

interface Agent {
  readonly number: number;
  readonly runId: string;
  readonly agentId: string;
  readonly gpu: string;
  readonly state: string;
  readonly attempt: number;
  readonly inFlight: number;
}

/** One of the agents, once each of them plays a case. */
const findVictim = async (env: Record<string, string | undefined>): Promise<Agent | undefined> => {
  const agents: Agent[] = (await sortie.ask(["agents", "ls"], { env })).fleets[0]?.agents ?? [];
  return agents.every(({ inFlight }) => inFlight > 0) ? agents[1] : undefined;
};

/** The process that dials for the agent of this run, not its supervisor and not its shell. */
const findAgent = (runId: string) =>
  findOwnProcesses().find(
    ({ pid, command }) =>
      / agent --handler /.test(command) &&
      /^\S*node /.test(command) &&
      readFileSync(`/proc/${pid}/environ`, "utf8").includes(`SORTIE_RUN_ID=${runId}`),
  )?.pid;

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

it("goes from the login to the score with four agents, one of them killed, and the gateway too", async () => {
  let gateway = await challenge.start(values);
  await challenge.addUser("ann@example.org");
  const calmScore = await playCalmly(gateway.api);
  const env = makeContestant(gateway.api);
  const going = sortie.run(
    [
      ...["challenge", "go", "--board", "manip", "--model-name", "m", "--handler", "policy.mjs"],
      ...["--agents", "4", "--yes", "--json"],
    ],
    { env, timeoutMs: 120_000 },
  );
  const records = challenge.openRecords();
  const JOB = 2;
  const countDone = () => listCases(records, JOB).filter(({ state }) => state === "done").length;
  const waitForCases = (least: number) =>
    waitFor(() => countDone() >= least, { timeoutMs: 60_000, what: `${least} cases` });

  const victim = await waitFor(() => findVictim(env), { timeoutMs: 60_000, what: "every agent in mid-case" });
  process.kill(findAgent(victim.runId) as number, "SIGKILL");
  writeFileSync(join(sortie.project(), "open"), "");
  await waitForCases(3);
  gateway.kill("SIGKILL");
  await gateway.exitCode;
  gateway = await challenge.start(values);

  const outcome = await going;
  const end = JSON.parse(outcome.stdout);
  expect(outcome.exitCode, outcome.stdout + outcome.stderr).toBe(0);
  expect(end).toMatchObject({ schema: 1, job: { state: "done", progress: { done: CASES, total: CASES } } });
  expect(end.job.score).toBe(calmScore);
  expect(end.result.total).toBeGreaterThan(0.5);
  expect(end.fleet).toMatchObject({ state: "ended", k: AGENTS, outcome: { isDrained: true, others: [] } });
  const agents: Agent[] = end.fleet.agents;
  expect(agents.map(({ state }) => state)).toEqual(Array(AGENTS).fill("drained"));
  expect(agents.map(({ gpu }) => gpu)).toEqual(["0", "1", "2", "3"]);
  const again = agents.filter(({ attempt }) => attempt > 1);
  expect(again).toMatchObject([{ number: victim.number, attempt: 2, agentId: victim.agentId }]);
  expect(new Set(listAttempts(records, JOB).map(({ agentId }) => agentId)).size).toBe(AGENTS);

  const quota = await sortie.ask(["challenge", "quota"], { env });
  expect(quota.quota).toMatchObject({ used: 1 });
  const { gpus } = await sortie.ask(["gpus"], { env });
  expect(gpus.map(({ state }: { state: string }) => state)).toEqual(Array(AGENTS).fill("free"));
  const isLeft = ({ command }: { command: string }) => !command.includes(" gateway ");
  await waitFor(() => !findOwnProcesses().some(isLeft), { what: "the end of agents and watcher" });

  const state = readFileSync(join(sortie.makeEnv()["HOME"] as string, ".simubotix-challenge.env"), "utf8");
  const secrets = [PASSWORD, ...[...state.matchAll(/TOKEN='([^']+)'/g)].map(([, token]) => token as string)];
  expect(secrets).toHaveLength(3);
  // The store is the person's own, and readable by nobody else.
  const texts = listFiles(sortie.home()).filter((path) => !basename(path).startsWith("sortie.db"));
  const told = [outcome.stdout, outcome.stderr, ...texts.map((path) => readFileSync(path, "latin1"))];
  for (const secret of secrets) expect(told.filter((text) => text.includes(secret))).toEqual([]);
}, 120_000);

/** A contestant of a short job, whose policy answers at once. */
async function enterShort() {
  const cases = { simulator: "reach", steps: 2, tasks: { far: { cases: 2, seed: 7 } } };
  const { apiUrl } = await challenge.host({ boards: { manip: cases } });
  await challenge.addUser("ann@example.org");
  writeFileSync(join(sortie.project(), "open"), "");
  return makeContestant(apiUrl);
}

it("is a plan where nobody can be asked, and its confirmation goes on to the scores as well", async () => {
  const env = await enterShort();
  const planned = await sortie.ask(
    ["challenge", "go", "--board", "manip", "--model-name", "m", "--handler", "policy.mjs"],
    { env },
  );
  expect(planned).toMatchObject({ exit: 3, plan: { fleet: { k: 4 } } });
  const done = await sortie.ask(["confirm", planned.plan.id], { env });
  expect(done).toMatchObject({ exit: 0, job: { id: 1, state: "done" }, fleet: { state: "ended" } });
  expect(done.result.tasks).toHaveLength(1);
});

it("launches with a submission, and answers at once where the agents are to be left", async () => {
  const env = await enterShort();
  await sortie.ask(["challenge", "login"], { env });
  const launched = await sortie.ask(
    [
      ...["challenge", "submit", "--launch", "--board", "manip", "--model-name", "m"],
      ...["--handler", "policy.mjs", "--agents", "2", "--detach", "--yes"],
    ],
    { env },
  );
  expect(launched).toMatchObject({ exit: 0, job: { id: 1, hasJobToken: true }, fleet: { k: 2 } });
  expect((await sortie.run(["challenge", "watch"], { env })).exitCode).toBe(0);
  await waitFor(async () => (await sortie.ask(["agents", "ls"], { env })).fleets[0]?.outcome?.isDrained, {
    what: "the drain of both agents",
  });
});
