import { describe, expect, it } from "vitest";
import {
  runningAgent as agent,
  expectFinding,
  fineContest as fine,
  runningJob as job,
  refusedToken as refused,
} from "../../../test/support/contest-symptoms.ts";
import type { AgentSymptoms, AttemptEnd, ContestSymptoms, JobSymptoms } from "../contest-symptoms.ts";
import { diagnoseContest } from "../diagnose-contest.ts";
import { challengeAgentRows } from "./challenge-agent-rows.ts";

const exited: AttemptEnd = { reason: "exited", exitCode: 1, cause: "It ended.", evidence: null, next: null };
const ended = { isLive: false, state: "failed", ends: [exited] } as const;
const withAgent = (change: Partial<AgentSymptoms>) => ({ agents: [{ ...agent, ...change }] });
const withJob = (change: Partial<JobSymptoms>, agents: AgentSymptoms[] = []) => ({
  job: { ...job, ...change },
  agents,
});

/** The symptom, what is seen, the row that answers, and what its finding says. */
const cases: readonly [string, Partial<ContestSymptoms>, string, string[]][] = [
  ["agents unseen", { agents: [], agentsFault: "the database is damaged" }, "agents_unseen", ["damaged"]],
  [
    "401, login good",
    withAgent({ ...ended, logTail: '[1a2b] error: The gateway h refused this agent (401: "no").\n' }),
    "agent_unauthorized_job",
    ["refused this agent (401", "JOB_UUID"],
  ],
  [
    "401 of another program, no login",
    {
      tokens: [refused],
      ...withAgent({
        ...ended,
        logTail: "websockets.exceptions.InvalidStatus: server rejected WebSocket connection: HTTP 401\n",
      }),
    },
    "agent_unauthorized_login",
    ["HTTP 401", "sortie challenge login"],
  ],
  [
    "401 after the job",
    withJob({ isTerminal: true, state: "done" }, [{ ...agent, ...ended, logTail: "error: HTTP 401" }]),
    "agent_job_over",
    ["result 12"],
  ],
  [
    "connects then drops",
    withAgent({
      state: "redialing",
      logTail:
        "[1a2b] warning: no tunnel: as many agents are connected as the job or the account allows; this one waits for its turn; dialling again in 15.0 s\n",
    }),
    "agent_over_cap",
    ["(4 for this job)", "sortie agents ls"],
  ],
  [
    "another program that drops",
    withAgent({ state: "unknown", logTail: "connection closed\nconnection closed\nconnection closed\n" }),
    "agent_dropping",
    ["connection closed", "sortie logs night-1"],
  ],
  [
    "an id that is taken",
    withAgent({ ...ended, logTail: "error: Another process is connected as agent x of job y.\n" }),
    "agent_id_taken",
    ["Stop that one"],
  ],
  [
    "drain received",
    withAgent({ state: "draining" }),
    "agents_drained",
    ["Drain received", "sortie challenge watch"],
  ],
  [
    "drain received by an agent that ended",
    withAgent({ isLive: false, state: "unknown", logTail: "[1a2b] drained: 2 sessions, 20 replies\n" }),
    "agents_drained",
    ["20 replies"],
  ],
  [
    "stuck in WARMUP",
    withAgent({
      ...ended,
      logTail:
        "state QUEUED -> WARMUP\nTraceback (most recent call last):\n  File \"p.py\", line 3, in load\n    x()\nKeyError: 'images'\n",
    }),
    "agent_warmup_failed",
    ["KeyError: 'images'", "sortie rehearse"],
  ],
  [
    "stuck in WARMUP, alive",
    withAgent({
      state: "warmup",
      sinceS: 20,
      logTail:
        'Traceback (most recent call last):\n  File "p.py", line 3, in load\n    x()\nValueError: empty frame\n',
    }),
    "agent_warmup_failed",
    ["ValueError: empty frame"],
  ],
  [
    "stuck in WARMUP, told by our agent",
    withAgent({
      ...ended,
      logTail:
        "state QUEUED -> WARMUP\nstate WARMUP -> FAILED\nerror: The handler failed in load: no weights.\nThe log shows where.\n",
    }),
    "agent_warmup_failed",
    ["no weights"],
  ],
  [
    "a handler that fails at frames",
    withAgent({ logTail: "[1a2b] error: The handler failed in handle: KeyError: 'head'.\n" }),
    "agent_handler_failed",
    ["KeyError: 'head'", "sortie rehearse"],
  ],
  ["WARMUP for long", withAgent({ state: "warmup", sinceS: 400 }), "agent_warmup_long", ["400 s"]],
  [
    "connected, and nothing comes",
    withAgent({ state: "queued", events: ["stall: no frame since 180 s"] }),
    "agent_stalled",
    ["stall:"],
  ],
  [
    "a gateway not reached",
    withAgent({
      state: "redialing",
      logTail: "warning: no tunnel: nobody listens there (ECONNREFUSED); dialling again in 2.0 s\n",
    }),
    "agent_unreachable",
    ["ECONNREFUSED"],
  ],
  [
    "killed for want of memory",
    withAgent({
      ends: [{ ...exited, reason: "oom", exitCode: 137, evidence: "Out of memory: Killed process 9" }],
    }),
    "agent_killed_for_memory",
    ["Killed process 9", "--stagger"],
  ],
  [
    "ended otherwise",
    withAgent({ ...ended, ends: [{ ...exited, evidence: "ValueError: odd", next: "mend it" }] }),
    "agent_failed",
    ["ValueError: odd", "mend it"],
  ],
  [
    "a handler that does not load",
    withAgent({
      ...ended,
      logTail: "error: handle in policy.py cannot answer frames.\nA handler is this.\n",
    }),
    "agent_failed",
    ["cannot answer frames"],
  ],
];

describe("each symptom of agents has its row", () => {
  it.each(cases)("%s", (_, change, code, words) => {
    expectFinding({ ...fine, ...change }, code, words);
  });

  it("leaves no row out", () => {
    const told = [...cases.map(([, , code]) => code), "agents_run"];
    expect(challengeAgentRows.map(({ code }) => code).filter((code) => !told.includes(code))).toEqual([]);
  });

  it("puts agents that the same thing ails into one finding", () => {
    const agents = [
      agent,
      { ...agent, name: "agent 2", state: "draining" },
      { ...agent, name: "agent 3" },
    ] as const;
    const found = diagnoseContest({ ...fine, agents }).filter(({ what }) => what === "agents");
    expect(found.map(({ cause }) => cause)).toEqual([
      "Nothing ails agent 1, agent 3.",
      expect.stringContaining("agent 2"),
    ]);
  });

  it("takes an old fault of an agent that works again for nothing", () => {
    const logTail =
      "warning: no tunnel: the link broke off; dialling again in 250 ms\nstate QUEUED -> WARMUP\nstate WARMUP -> RUNNING\n";
    const codes = diagnoseContest({ ...fine, agents: [{ ...agent, logTail }] }).map(({ code }) => code);
    expect(codes).toContain("agents_run");
  });

  it("takes what an agent said before it connected again for nothing, also when it was stopped", () => {
    const logTail =
      "warning: no tunnel: nobody listens there; dialling again in 2.0 s\nstate REDIALING -> QUEUED\nstate QUEUED -> RUNNING\nstopped while RUNNING\n";
    const stopped = { ...agent, ...ended, state: "stopped", ends: [], logTail } as const;
    const found = diagnoseContest({ ...fine, agents: [stopped] });
    expect(found.filter(({ what }) => what === "agents")).toEqual([]);
  });
});
