import { describe, expect, it } from "vitest";
import {
  runningAgent as agent,
  expectFinding,
  fineContest as fine,
  goodToken as good,
  runningJob as job,
  refusedToken as refused,
  STATE_PATH,
} from "../../test/support/contest-symptoms.ts";
import type { AgentSymptoms, ContestSymptoms, JobSymptoms } from "./contest-symptoms.ts";
import { contestTable, diagnoseContest } from "./diagnose-contest.ts";

const away = { baseUrl: "http://127.0.0.1:1", state: "away", said: "nobody listens there" } as const;
const withJob = (change: Partial<JobSymptoms>, agents: AgentSymptoms[] = []) => ({
  job: { ...job, ...change },
  agents,
});

/** The symptom, what is seen, the row that answers, and what its finding says. */
const cases: readonly [string, Partial<ContestSymptoms>, string, string[]][] = [
  ["no login", { tokens: [] }, "login_missing", ["sortie challenge login"]],
  ["a token null", { tokens: [{ ...good, shape: "void", answer: "unasked" }] }, "login_void", ["`null`"]],
  [
    "a token cut off",
    { tokens: [{ ...good, shape: "damaged", answer: "refused" }] },
    "login_damaged",
    [STATE_PATH],
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
    [`chmod 600 ${STATE_PATH}`],
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
];
const fineCodes = ["gateway_answers", "login_good", "job_running", "agents_run"];

describe("each symptom of login, job and endpoint has its row", () => {
  it.each(cases)("%s", (_, change, code, words) => {
    expectFinding({ ...fine, ...change }, code, words);
  });

  it("says that all is well where it is", () => {
    const findings = diagnoseContest(fine);
    expect(findings.map(({ level }) => level)).toEqual(findings.map(() => "ok"));
    expect(findings.map(({ code }) => code)).toEqual(fineCodes);
  });

  it("leaves no row out", () => {
    const told = [...cases.map(([, , code]) => code), ...fineCodes];
    const rows = contestTable.filter(({ what }) => what !== "agents");
    expect(rows.map(({ code }) => code).filter((code) => !told.includes(code))).toEqual([]);
  });
});
