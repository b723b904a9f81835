import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { listAttempts } from "../../src/gateway/records/attempts.ts";
import { listCases } from "../../src/gateway/records/cases.ts";
import { makePlainHandler, type PlayedAgent, patientTimers, useAgents } from "../support/agents.ts";
import { type Contestant, logIn, useChallenge, waitForEnd } from "../support/challenge.ts";
import { type LinkProxy, startLinkProxy } from "../support/link-proxy.ts";
import { SORTIE } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

/** The example that solves the simulator. */
const solver = new URL("../../examples/reach/solve.mjs", import.meta.url);
const { handle }: { handle: (sessionId: string, frame: Uint8Array) => Uint8Array } = await import(
  solver.href
);

const CASES = 20;
const AGENTS = 4;
const CUTS = 10;

const challenge = useChallenge();
const startAgent = useAgents();
const values = {
  boards: { manip: { simulator: "reach", steps: 6, tasks: { far: { cases: CASES, seed: 7 } } } },
  parallelism: AGENTS,
  simulators: { workers: 2 },
  timers: { ping: "1s", read_deadline: "20s", window: "8s", drain: "20s" },
};

type Submitted = Awaited<ReturnType<Contestant["submit"]>>;

/** Agents that solve the simulator, through a network that can be cut. */
function startCrew(job: Submitted, proxy: LinkProxy, count = AGENTS): PlayedAgent[] {
  return Array.from({ length: count }, () =>
    startAgent({
      gatewayUrl: proxy.route(job.tunnel_endpoint),
      jobUuid: job.uuid,
      token: job.job_token,
      handler: makePlainHandler({ handle: async (_, payload) => handle("", payload) }),
      timers: patientTimers,
    }),
  );
}

/** An agent as a contestant starts it, which a machine can lose. */
function startAgentProcess(job: Submitted, proxy: LinkProxy): ChildProcess {
  const url = proxy.route(job.tunnel_endpoint);
  const args = [
    "--gpu",
    "cpu",
    "--job-uuid",
    job.uuid,
    "--gateway-url",
    url,
    "--handler",
    fileURLToPath(solver),
  ];
  return spawn(process.execPath, [SORTIE, "agent", ...args], {
    stdio: "ignore",
    env: { ...process.env, HOME: challenge.temp(), JOB_TOKEN: job.job_token },
  });
}

const countEnded = (records: ReturnType<typeof challenge.openRecords>, id: number) =>
  listCases(records, id).filter(({ state }) => state === "done").length;

it("a job has the same score with a killed agent, ten cuts and a killed gateway as without", async () => {
  let gateway = await challenge.start(values);
  await challenge.addUser();
  const ann = await logIn(gateway.api);
  const records = challenge.openRecords();
  const proxy = await startLinkProxy(Number(new URL(gateway.api).port));
  try {
    const calm = await ann.submit("manip", "calm");
    startCrew(calm, proxy);
    const calmEnd = await waitForEnd(ann, calm.id, 120_000);
    expect(calmEnd).toMatchObject({ status: 2, progress: { done: CASES, total: CASES } });
    expect(calmEnd.score).toBeGreaterThan(0.5);

    const rough = await ann.submit("manip", "rough");
    const victim = startAgentProcess(rough, proxy);
    await waitFor(() => listAttempts(records, rough.id).length > 0, {
      timeoutMs: 30_000,
      what: "its first case",
    });
    startCrew(rough, proxy, AGENTS - 1);
    for (let cut = 0; cut < CUTS; cut += 1) {
      await waitFor(() => countEnded(records, rough.id) >= cut, { timeoutMs: 60_000, what: `${cut} cases` });
      proxy.cut();
      if (cut === 3) {
        victim.kill("SIGKILL");
        startCrew(rough, proxy, 1);
      }
      if (cut !== 6) continue;
      gateway.kill("SIGKILL");
      await gateway.exitCode;
      gateway = await challenge.start(values);
    }
    expect(victim.signalCode).toBe("SIGKILL");
    const roughEnd = await waitForEnd(ann, rough.id, 120_000);
    expect(roughEnd).toMatchObject({ status: 2, score: calmEnd.score });
    const scores = (id: number) => listCases(records, id).map(({ score }) => score);
    expect(scores(rough.id)).toEqual(scores(calm.id));
    // The lost one had cases of its own.
    expect(new Set(listAttempts(records, rough.id).map(({ agentId }) => agentId)).size).toBe(AGENTS + 1);
    // Never two owners of a case: of its attempts only the last one ended well.
    const ended = listAttempts(records, rough.id).filter(({ failureReason }) => failureReason === 0);
    expect(new Set(ended.map(({ caseId }) => caseId)).size).toBe(CASES);
    expect(ended).toHaveLength(CASES);
  } finally {
    await proxy.close();
  }
}, 300_000);
