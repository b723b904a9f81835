import { describe, expect, it } from "vitest";
import type { AgentSymptoms, AttemptEnd, ContestSymptoms, JobSymptoms } from "./contest-symptoms.ts";
import { contestTable, diagnoseContest } from "./diagnose-contest.ts";

const PATH = "/home/ada/.simubotix-challenge.env";
const good = {
  from: "file",
  shape: "good",
  expiresAt: null,
  isExpired: false,
  isElsewhere: false,
  answer: "taken",
  said: null,
} as const;
const job: JobSymptoms = {
  ...{ uuid: "0f1e", name: "night", handle: "12", state: "running", isTerminal: false },
  ...{ said: "evaluating", parallelism: 4, failure: null },
};
const agent: AgentSymptoms = {
  ...{ name: "agent 1", run: "night-1", isLive: true, state: "running", sinceS: 30 },
  ...{ ends: [], logTail: "", events: [] },
};
const fine: ContestSymptoms = {
  stateFile: { path: PATH, exists: true, fault: null, isOpen: false, unread: [] },
  tokens: [good],
  api: { baseUrl: "https://challenge.example.org", state: "answers", said: "200" },
  ...{ clockAheadS: 1, job, jobAbsence: null, wanted: "0f1e", mostCases: null },
  endpoint: {
    ...{ url: "ws://10.0.0.1/tunnel", source: "TUNNEL_ENDPOINT", isDefault: false },
    ...{ fault: null, told: "ws://10.0.0.1/tunnel", unreachable: null },
  },
  environment: { proxies: [], proxied: [], otherBaseUrl: null, otherJob: null },
  ...{ agents: [agent], agentsFault: null },
};

const refused = { ...good, answer: "refused", said: "401: invalid token" } as const;
const exited: AttemptEnd = { reason: "exited", exitCode: 1, cause: "It ended.", evidence: null, next: null };
const away = { baseUrl: "http://127.0.0.1:1", state: "away", said: "nobody listens there" } as const;
const withJob = (change: Partial<JobSymptoms>, agents: AgentSymptoms[] = []) => ({
  job: { ...job, ...change },
  agents,
});
const withAgent = (change: Partial<AgentSymptoms>) => ({ agents: [{ ...agent, ...change }] });
const ended = { isLive: false, state: "failed", ends: [exited] } as const;

/** The symptom, what is seen, the row that answers, and what its finding says. */
const cases: readonly [string, Partial<ContestSymptoms>, string, string[]][] = [
  ["no login", { tokens: [] }, "login_missing", ["sortie challenge login"]],
  ["a token null", { tokens: [{ ...good, shape: "void", answer: "unasked" }] }, "login_void", ["`null`"]],
  [
    "a token cut off",
    { tokens: [{ ...good, shape: "damaged", answer: "refused" }] },
    "login_damaged",
    [PATH],
  ],
  [
    "401 and expired",
    { tokens: [{ ...refused, isExpired: true, expiresAt: "2026-01-01T00:00:00Z" }] },
    "login_expired",
    ["2026-01-01", "sortie challenge refresh"],
  ],
  [
    "401 of another address",
    { tokens: [refused] },
    "login_refused",
    ["challenge.example.org", "invalid token"],
  ],
  [
    "a stale CHALLENGE_TOKEN",
    { tokens: [{ ...refused, from: "environment" }, good] },
    "login_stale_environment",
    ["unset CHALLENGE_TOKEN", "401: invalid token"],
  ],
  [
    "expired, and nobody to ask",
    { api: away, tokens: [{ ...good, answer: "unasked", isExpired: true }] },
    "login_maybe_expired",
    ["refresh"],
  ],
  ["the gateway away", { api: away }, "gateway_away", ["nobody listens there"]],
  [
    "the gateway in trouble",
    { api: { ...away, state: "trouble", said: "answered with 500" } },
    "gateway_trouble",
    ["500", "sortie challenge login"],
  ],
  [
    "a login of another address",
    { tokens: [{ ...good, answer: "unasked", isElsewhere: true }] },
    "login_elsewhere",
    ["--base-url https://challenge.example.org"],
  ],
  ["a web page", { api: { ...away, state: "odd", said: "a web page" } }, "gateway_odd", ["a web page"]],
  ["a clock an hour off", { clockAheadS: -3600 }, "clock_off", ["1 h 00 min behind"]],
  [
    "a state file that is open",
    { stateFile: { ...fine.stateFile, isOpen: true } },
    "state_file_open",
    [`chmod 600 ${PATH}`],
  ],
  [
    "a state file that is a folder",
    { stateFile: { ...fine.stateFile, fault: "it is no file" } },
    "state_file_unreadable",
    ["it is no file"],
  ],
  [
    "a broken line",
    { stateFile: { ...fine.stateFile, unread: [{ name: "JOB_UUID", line: 3 }] } },
    "state_file_broken",
    ["line 3", "JOB_UUID='value'"],
  ],
  [
    "another BASE_URL",
    { environment: { ...fine.environment, otherBaseUrl: "http://other" } },
    "base_url_ignored",
    ["unset BASE_URL"],
  ],
  [
    "another JOB_UUID",
    { environment: { ...fine.environment, otherJob: "beef" } },
    "job_other_in_environment",
    ["beef"],
  ],
  [
    "proxy variables",
    {
      environment: {
        ...fine.environment,
        proxies: [{ name: "https_proxy", host: "proxy:3128" }],
        proxied: ["10.0.0.1"],
      },
    },
    "proxy_variables",
    ["https_proxy (proxy:3128)", "NO_PROXY=10.0.0.1"],
  ],
  ["no job", { job: null, jobAbsence: "unnamed", agents: [] }, "job_unnamed", ["sortie challenge submit"]],
  ["the job of another", { job: null, jobAbsence: "not_found", agents: [] }, "job_not_found", ["0f1e"]],
  ["parallelism 0", withJob({ parallelism: 0 }), "parallelism_zero", ["parallelism is 0", "organisers"]],
  ["an account of no cases", { mostCases: 0 }, "parallelism_zero", ["max_concurrent_cases"]],
  [
    "pending with no agent",
    withJob({ state: "waiting_for_agent", said: "pending" }),
    "job_pending",
    ["sortie agents launch --job-uuid 0f1e"],
  ],
  [
    "pending with agents",
    withJob({ state: "waiting_for_agent", said: "pending" }, [{ ...agent, state: "redialing" }]),
    "job_pending_with_agents",
    ["agent 1 is redialing"],
  ],
  [
    "inference_disconnected",
    withJob({ state: "agent_lost", said: "inference_disconnected" }),
    "job_agents_lost",
    ["inference_disconnected", "sortie agents launch --job-uuid 0f1e"],
  ],
  [
    "inference_disconnected while agents dial",
    withJob({ state: "agent_lost" }, [agent]),
    "job_agents_redialing",
    ["Wait a minute"],
  ],
  [
    "queued",
    withJob({ state: "waiting_for_slot", said: "queued" }),
    "job_queued",
    ["no simulator free", "sortie challenge watch 12"],
  ],
  ["a job that is stopping", withJob({ state: "stopping" }), "job_stopping", ["no more agents"]],
  [
    "a status that is new",
    withJob({ state: "unknown", said: "status 9" }),
    "job_status_unknown",
    ["status 9"],
  ],
  [
    "a job that is over",
    withJob({ state: "done", isTerminal: true }),
    "job_done",
    ["sortie challenge result 12"],
  ],
  [
    "a job that failed",
    withJob({ state: "failed", isTerminal: true, said: "failed", failure: "reason 9: tunnel lost" }),
    "job_failed",
    ["tunnel lost"],
  ],
  [
    "a job that was stopped",
    withJob({ state: "cancelled", isTerminal: true }),
    "job_cancelled",
    ["result 12"],
  ],
  [
    "an empty endpoint",
    { endpoint: { ...fine.endpoint, isDefault: true, told: null } },
    "endpoint_empty",
    ["ws://10.0.0.1/tunnel"],
  ],
  [
    "an endpoint not kept",
    { endpoint: { ...fine.endpoint, isDefault: true, told: "ws://10.0.0.2/" } },
    "endpoint_not_kept",
    ["--gateway-url ws://10.0.0.2/"],
  ],
  [
    "another endpoint",
    { endpoint: { ...fine.endpoint, told: "ws://10.0.0.2/" } },
    "endpoint_differs",
    ["ws://10.0.0.2/"],
  ],
  [
    "no endpoint at all",
    { endpoint: { ...fine.endpoint, fault: "it begins with http" } },
    "endpoint_bad",
    ["it begins with http"],
  ],
  [
    "nobody at the endpoint",
    { endpoint: { ...fine.endpoint, unreachable: "nobody listens there" } },
    "endpoint_unreachable",
    ["nobody listens there"],
  ],
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
];

describe("each symptom has its row", () => {
  it.each(cases)("%s", (_, change, code, words) => {
    const found = diagnoseContest({ ...fine, ...change }).find((one) => one.code === code);
    const text = `${found?.cause} ${found?.evidence} ${found?.next}`;
    for (const word of words) expect(text).toContain(word);
    expect(text).not.toMatch(/\{\w+\}|undefined/);
  });

  it("says that all is well where it is", () => {
    const findings = diagnoseContest(fine);
    expect(findings.map(({ level }) => level)).toEqual(findings.map(() => "ok"));
    expect(findings.map(({ code }) => code)).toEqual([
      "gateway_answers",
      "login_good",
      "job_running",
      "agents_run",
    ]);
  });

  it("names a row of every code at least once in the table above", () => {
    const told = [
      ...cases.map(([, , code]) => code),
      "gateway_answers",
      "login_good",
      "job_running",
      "agents_run",
    ];
    expect(contestTable.map(({ code }) => code).filter((code) => !told.includes(code))).toEqual([]);
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
});
