import { type ContestFacts, defineContestRows, findOnce } from "../contest-row.ts";
import type { ContestSymptoms, JobSymptoms } from "../contest-symptoms.ts";

/** The job: whether there is one, whose it is, and what it waits for. */
export const challengeJobRows = defineContestRows([
  {
    code: "job_unnamed",
    what: "job",
    level: "bad",
    find: ({ jobAbsence, stateFile }) => findOnce(jobAbsence === "unnamed", { path: stateFile.path }),
    cause: "No job is known here.",
    evidence: "no JOB_UUID in the environment or in {path}",
    next: "`sortie challenge jobs` lists those of the account: `sortie doctor --job JOB` examines one; `sortie challenge submit` makes a new one.",
  },
  {
    code: "job_not_found",
    what: "job",
    level: "bad",
    find: ({ jobAbsence, wanted }) => findOnce(jobAbsence === "not_found", { wanted: wanted ?? "" }),
    cause: "The job is not one of this account: another account's, of another address, or mistyped.",
    evidence: "{wanted} is not among the jobs of the account",
    next: "`sortie challenge jobs` lists them; `sortie challenge whoami` says whose account it is.",
  },
  {
    code: "job_other_in_environment",
    what: "job",
    level: "warning",
    find: ({ environment: { otherJob }, stateFile }) =>
      findOnce(otherJob !== null, { otherJob: otherJob ?? "", path: stateFile.path }),
    cause: "JOB_UUID of this shell's environment is another job than the state file's, and goes before it.",
    evidence: "JOB_UUID is {otherJob}, {path} names another",
    next: "`unset JOB_UUID` if the file is right.",
  },
  {
    code: "parallelism_zero",
    what: "job",
    level: "bad",
    find: (seen) => {
      const said = findZero(seen);
      return findOnce(said !== null, { said: said ?? "" });
    },
    cause: "The account may run no agent at all: it is set up wrongly, and nothing that you start helps.",
    evidence: "{said}",
    next: "Ask the organisers to set it right before you submit anything more; `sortie challenge whoami` shows when they have.",
  },
  {
    code: "job_done",
    what: "job",
    level: "ok",
    find: (seen) => findState(seen, "done"),
    cause: "The job is over: it is played to its end. No agent is needed any more.",
    evidence: "{said}",
    next: "`sortie challenge result {handle}`",
  },
  {
    code: "job_failed",
    what: "job",
    level: "bad",
    find: (seen) => findState(seen, "failed"),
    cause: "The job is over: it failed. Agents that dial for it are refused with 401.",
    evidence: "{said}{failure}",
    next: "`sortie challenge log {handle}` shows the last failed case; `sortie challenge quota` says what another job would leave.",
  },
  {
    code: "job_cancelled",
    what: "job",
    level: "warning",
    find: (seen) => findState(seen, "cancelled"),
    cause: "The job is over: it was stopped. Agents that dial for it are refused with 401.",
    evidence: "{said}",
    next: "`sortie challenge result {handle}` shows what was scored before.",
  },
  {
    code: "job_pending",
    what: "job",
    level: "bad",
    find: (seen) => (hasLiveAgents(seen) ? [] : findState(seen, "waiting_for_agent")),
    cause: "No agent has ever connected to the job, so it does not begin.",
    evidence: "{said}; no agent of it that Sortie started runs here",
    next: "`sortie agents launch --job-uuid {uuid}`",
  },
  {
    code: "job_pending_with_agents",
    what: "job",
    level: "warning",
    find: (seen) => (hasLiveAgents(seen) ? findState(seen, "waiting_for_agent") : []),
    cause: "Agents run on this machine, but none has reached the job's gateway yet.",
    evidence: "{said}; {agents}",
    next: "`sortie agents logs` says why; see that they dial the job's endpoint (below).",
  },
  {
    code: "job_agents_lost",
    what: "job",
    level: "bad",
    find: (seen) => (hasLiveAgents(seen) ? [] : findState(seen, "agent_lost")),
    cause: "The job had agents and has none now: it stands still, and may be given up.",
    evidence: "{said}; no agent of it that Sortie started runs here",
    next: "`sortie agents launch --job-uuid {uuid}`: new agents, with fresh ids, are taken by the same job. Submit a new one only if that fails: it costs a slot.",
  },
  {
    code: "job_agents_redialing",
    what: "job",
    level: "warning",
    find: (seen) => (hasLiveAgents(seen) ? findState(seen, "agent_lost") : []),
    cause: "The challenge sees no agent of the job, while some run on this machine: their links are down.",
    evidence: "{said}; {agents}",
    next: "Wait a minute: agents dial again with the same id, and none may be started beside them. Then `sortie agents logs`.",
  },
  {
    code: "job_queued",
    what: "job",
    level: "warning",
    find: (seen) => findState(seen, "waiting_for_slot"),
    cause:
      "An agent is connected and the job waits for the platform: it has no simulator free. Nothing is wrong here.",
    evidence: "{said}",
    next: "Leave the agents connected; `sortie challenge watch {handle}` says when it goes on.",
  },
  {
    code: "job_stopping",
    what: "job",
    level: "warning",
    find: (seen) => findState(seen, "stopping"),
    cause: "The job is being stopped.",
    evidence: "{said}",
    next: "Start no more agents; `sortie challenge watch {handle}` says when it is over.",
  },
  {
    code: "job_status_unknown",
    what: "job",
    level: "warning",
    find: (seen) => findState(seen, "unknown"),
    cause: "The challenge uses a status that Sortie does not know: it is not taken for an end.",
    evidence: "{said}",
    next: "`sortie challenge status {handle} --json` shows what came.",
  },
  {
    code: "job_running",
    what: "job",
    level: "ok",
    find: (seen) => findState(seen, "running"),
    cause: "Cases are being played.",
    evidence: "{said}",
    next: null,
  },
]);

function findState(seen: ContestSymptoms, state: JobSymptoms["state"]): readonly ContestFacts[] {
  const { job } = seen;
  if (job?.state !== state) return [];
  const { uuid, handle, said, failure } = job;
  return [{ uuid, handle, said, failure: failure === null ? "" : `; ${failure}`, agents: nameStates(seen) }];
}

function hasLiveAgents({ agents }: ContestSymptoms): boolean {
  return agents.some(({ isLive }) => isLive);
}

function nameStates({ agents }: ContestSymptoms): string {
  return agents
    .filter(({ isLive }) => isLive)
    .map(({ name, state }) => `${name} is ${state}`)
    .join(", ");
}

function findZero({ job, mostCases }: ContestSymptoms): string | null {
  if (job?.isTerminal) return null;
  if (job?.parallelism === 0) return `the job's parallelism is 0`;
  return mostCases === 0 ? "max_concurrent_cases of the account is 0" : null;
}
