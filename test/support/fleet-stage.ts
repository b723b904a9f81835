import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "@msgpack/msgpack";
import { afterEach } from "vitest";
import { confirmAction } from "../../src/supervise/actions/confirm-action.ts";
import { closeDesk, type Desk, openDesk } from "../../src/supervise/desk.ts";
import { type FleetWish, planFleet } from "../../src/supervise/fleet/plan-fleet.ts";
import { type FleetView, lookAtFleet } from "../../src/supervise/fleet/show-fleet.ts";
import { logIn, makeEchoBoard, useChallenge } from "./challenge.ts";
import { makeFakeGpus } from "./fake-gpus.ts";
import { SORTIE, useSortie } from "./sortie.ts";
import { waitFor } from "./wait-for.ts";

/** Of whoever runs the tests: an agent would find its token, its job or its GPU there. */
const FOREIGN = [
  ...["JOB_TOKEN", "JOB_UUID", "CHALLENGE_TOKEN", "TUNNEL_ENDPOINT", "PARALLELISM", "SIMUBOTIX_GATEWAY_URL"],
  ...["SORTIE_CHALLENGE_URL", "SORTIE_ACCESS_TOKEN", "BASE_URL", "CUDA_VISIBLE_DEVICES"],
];

/**
 * A contestant's machine with stand-in GPUs, a gateway in this process with a submitted job, and a handler that loads for
 * as long as the test wants; for each test of a file. The watcher and the agents are those of the built `sortie`.
 */
export function useFleetStage() {
  const sortie = useSortie();
  const challenge = useChallenge();
  const desks: Desk[] = [];
  afterEach(() => {
    for (const desk of desks.splice(0)) closeDesk(desk);
  });

  const journal = () => join(sortie.project(), "journal");
  /** Files `open-N` let agent number N finish its load. */
  const gate = (number: number) => join(sortie.project(), `open-${number}`);

  /** `env`: more of the contestant's environment. */
  const submit = async ({
    gpus = 4,
    parallelism = 4,
    cases = 8,
    steps = 3,
    workers = 1,
    env = {} as Readonly<Record<string, string>>,
  } = {}) => {
    await challenge.addUser("ann@example.org", { parallelism });
    const hosted = await challenge.host({
      ...{ boards: { instruction: makeEchoBoard(cases, steps) }, simulators: { workers } },
    });
    const contestant = await logIn(hosted.apiUrl);
    const reply = await contestant.submit();
    const job = {
      id: reply.id,
      uuid: reply.uuid,
      token: reply.job_token,
      login: contestant.token,
      api: hosted.apiUrl,
    };
    const state = {
      JOB_ID: reply.id,
      JOB_UUID: reply.uuid,
      JOB_TOKEN: reply.job_token,
      PARALLELISM: reply.parallelism,
    };
    writeState({ ...state, TUNNEL_ENDPOINT: reply.tunnel_endpoint, CHALLENGE_TOKEN: contestant.token });
    writeHandler(sortie.project());
    return { job, contestant, hosted, ...openOwn(gpus, hosted.apiUrl, env) };
  };

  const writeState = (values: Readonly<Record<string, unknown>>) => {
    const text = Object.entries(values).map(([name, value]) => `${name}='${value}'\n`);
    writeFileSync(join(sortie.makeEnv()["HOME"] as string, ".simubotix-challenge.env"), text.join(""), {
      mode: 0o600,
    });
  };

  const openOwn = (gpus: number, api: string, more: Readonly<Record<string, string>>) => {
    const machine = makeFakeGpus(sortie.temp(), { gpus: Array.from({ length: gpus }, () => ({})) });
    const none = Object.fromEntries(FOREIGN.map((name) => [name, undefined]));
    const env = sortie.makeEnv({ ...none, ...machine.env, SORTIE_CHALLENGE_URL: api, ...more });
    const desk = openDesk({ env, self: [process.execPath, SORTIE] });
    desks.push(desk);
    return { desk, machine };
  };

  const plan = (desk: Desk, wish: Partial<FleetWish> = {}) =>
    planFleet(desk, { agents: "max", cwd: sortie.project(), gpu: [], handler: "policy.mjs", ...wish });
  const launch = async (desk: Desk, wish: Partial<FleetWish> = {}): Promise<FleetView> => {
    await confirmAction(desk, (await plan(desk, wish)).id);
    return lookAtFleet(desk, null);
  };

  return {
    ...{ sortie, challenge, submit, plan, launch, writeState },
    /** Lets these agents finish their load, now or later. */
    open: (...numbers: number[]) => {
      for (const number of numbers) writeFileSync(gate(number), "");
    },
    /** What the handlers wrote: `load N ID PID`, `up N ID`. */
    readJournal: () => (existsSync(journal()) ? readFileSync(journal(), "utf8").trim().split("\n") : []),
    /** The fleet once it is as the test wants; a failure says what it is instead. */
    waitForFleet: async (desk: Desk, isThere: (view: FleetView) => boolean, what: string) => {
      let seen: FleetView | undefined;
      const look = async () => {
        seen = await lookAtFleet(desk, null);
        return isThere(seen) ? seen : null;
      };
      return waitFor(look, { timeoutMs: 30_000, intervalMs: 100, what }).catch((fault) => {
        throw new Error(`${fault.message}: ${JSON.stringify(seen, null, 1)}`);
      });
    },
  };
}

function writeHandler(folder: string): void {
  const steps = (width: number) => Array.from({ length: 50 }, () => Array.from({ length: width }, () => 0.1));
  const arm = { kind: "JOINT_ABS", values: steps(7) };
  const action = { left_arm: arm, right_arm: arm, left_effector: steps(1), right_effector: steps(1) };
  const reply = Buffer.from(encode({ result: action })).toString("base64");
  writeFileSync(
    join(folder, "policy.mjs"),
    `import { appendFileSync, existsSync } from "node:fs";
const reply = Buffer.from(${JSON.stringify(reply)}, "base64");
const { SORTIE_RUN_NAME, SORTIE_AGENT_ID, CUDA_VISIBLE_DEVICES } = process.env;
const number = SORTIE_RUN_NAME.split("-").at(-1);
const note = (text) => appendFileSync(${JSON.stringify(join(folder, "journal"))}, text + "\\n");
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export async function load() {
  note(["load", number, SORTIE_AGENT_ID, process.pid, CUDA_VISIBLE_DEVICES].join(" "));
  while (!existsSync(${JSON.stringify(`${folder}/open-`)} + number)) await sleep(20);
  note(["up", number, SORTIE_AGENT_ID].join(" "));
}
export async function handle(sid, frame) {
  if (existsSync(${JSON.stringify(`${folder}/slow`)})) await sleep(100);
  return reply;
}
`,
  );
}
