import { type AgentAilment, findAgentSign, findHandlerFault } from "../agent-sign.ts";
import { type ContestFacts, defineContestRows, findOnce } from "../contest-row.ts";
import { type AgentSymptoms, type ContestSymptoms, isLoggedIn } from "../contest-symptoms.ts";

/** The agents of the job on this machine: how far they are, and why they are no further. */
export const challengeAgentRows = defineContestRows([
  {
    code: "agents_unseen",
    what: "agents",
    level: "warning",
    find: ({ agentsFault }) => findOnce(agentsFault !== null, { fault: agentsFault ?? "" }),
    cause: "The agents of this machine could not be looked at.",
    evidence: "{fault}",
    next: "`sortie doctor` examines this machine.",
  },
  {
    code: "agents_run",
    what: "agents",
    level: "ok",
    find: (seen) => groupAgents(seen, "none", ({ isLive }) => isLive),
    cause: "Nothing ails {agents}.",
    evidence: "{states}",
    next: null,
  },
  {
    code: "agents_drained",
    what: "agents",
    level: "ok",
    find: (seen) => groupAgents(seen, "drained"),
    cause: "Drain received: the challenge has no more cases for {agents}. The job is wrapping up.",
    evidence: "{line}",
    next: "Start no more agents for it, and let those that run end by themselves: `sortie challenge watch`.",
  },
  {
    code: "agent_job_over",
    what: "agents",
    level: "warning",
    find: (seen) => (seen.job?.isTerminal ? groupAgents(seen, "unauthorized") : []),
    cause: "The gateway refuses {agents} with 401 since the job is over.",
    evidence: "{line}",
    next: "Nothing is left to do for an agent: `sortie challenge result {handle}`.",
  },
  {
    code: "agent_unauthorized_login",
    what: "agents",
    level: "bad",
    find: (seen) => (!isOver(seen) && !isLoggedIn(seen) ? groupAgents(seen, "unauthorized") : []),
    cause: "The gateway refuses {agents} with 401, and there is no login that is taken either.",
    evidence: "{line}",
    next: "`sortie challenge login`, then `sortie agents launch` again.",
  },
  {
    code: "agent_unauthorized_job",
    what: "agents",
    level: "bad",
    find: (seen) => (!isOver(seen) && isLoggedIn(seen) ? groupAgents(seen, "unauthorized") : []),
    cause:
      "The gateway refuses {agents} with 401 though the login is good: the token is of another job, or the job of another account.",
    evidence: "{line}",
    next: "See that JOB_UUID is in `sortie challenge jobs`; `unset JOB_TOKEN JOB_UUID` if this shell has old ones, then `sortie agents launch` again.",
  },
  {
    code: "agent_over_cap",
    what: "agents",
    level: "bad",
    find: (seen) => groupAgents(seen, "over_cap"),
    cause:
      "As many agents are connected as the job or the account allows{cap}, so the gateway drops {agents} right after the dial.",
    evidence: "{line}",
    next: "Wait for the others to end, or run fewer: `sortie agents ls` shows them, here; other machines and other jobs of the account count too.",
  },
  {
    code: "agent_id_taken",
    what: "agents",
    level: "bad",
    find: (seen) => groupAgents(seen, "taken"),
    cause: "Another process is connected with the same agent id.",
    evidence: "{line}",
    next: "Stop that one, or pass no agent id: each agent makes one of its own.",
  },
  {
    code: "agent_dropping",
    what: "agents",
    level: "bad",
    find: (seen) => groupAgents(seen, "dropping"),
    cause:
      "{agents}: connected, then dropped, again and again. Likely more agents are connected than the job or the account allows{cap}, or a proxy cuts the link.",
    evidence: "{line}",
    next: "Run fewer, or wait for old ones to end: `sortie agents ls`. `sortie logs {run}` shows what this one saw.",
  },
  {
    code: "agent_warmup_failed",
    what: "agents",
    level: "bad",
    find: (seen) => groupAgents(seen, "warmup_failed"),
    cause: "The handler of {agents} failed on the empty frame of the warm-up, so that it never got ready.",
    evidence: "{line}",
    next: "`sortie logs {run}` shows the trace. Repair the handler and try it without a slot: `sortie rehearse --handler MODULE:FUNCTION`.",
  },
  {
    code: "agent_warmup_long",
    what: "agents",
    level: "warning",
    find: (seen) => groupAgents(seen, "warmup_long"),
    cause: "The warm-up of {agents} goes on for long: weights are being loaded, or the handler hangs.",
    evidence: "{line}",
    next: "`sortie logs {run}` shows what it does. If it hangs, see whether it does so in `sortie rehearse --handler MODULE:FUNCTION` too.",
  },
  {
    code: "agent_handler_failed",
    what: "agents",
    level: "warning",
    find: ({ agents }) => {
      const faulty = agents.filter((agent) => findHandlerFault(agent) !== undefined);
      const [first] = faulty;
      const names = faulty.map(({ name }) => name).join(", ");
      return first === undefined
        ? []
        : [{ agents: names, run: first.run, line: findHandlerFault(first) ?? "" }];
    },
    cause: "The handler of {agents} failed at frames: each such case is lost.",
    evidence: "{line}",
    next: "`sortie logs {run}` shows the trace. Repair the handler and play a job without a slot: `sortie rehearse --handler MODULE:FUNCTION`.",
  },
  {
    code: "agent_stalled",
    what: "agents",
    level: "warning",
    find: (seen) => groupAgents(seen, "stalled"),
    cause:
      "Nothing has come to {agents} since the link was cut and is up again: the job waits, or the session is stuck.",
    evidence: "{line}",
    next: "If the job is evaluating, start them anew, with fresh ids: `sortie agents stop --force`, then `sortie agents launch`. The cases in flight are played again or lost.",
  },
  {
    code: "agent_unreachable",
    what: "agents",
    level: "bad",
    find: (seen) => groupAgents(seen, "unreachable"),
    cause: "The gateway is not reached by {agents}.",
    evidence: "{line}",
    next: "Check the endpoint and the network from this machine; agents that run dial again for some time. `sortie logs {run}` tells.",
  },
  {
    code: "agent_killed_for_memory",
    what: "agents",
    level: "bad",
    find: (seen) => groupAgents(seen, "memory"),
    cause:
      "The kernel killed {agents} for want of memory: together the agents need more than this machine has.",
    evidence: "{line}",
    next: "Run fewer agents, or start them further apart, since loading takes the most: `sortie agents launch --stagger 60s`.",
  },
  {
    code: "agent_failed",
    what: "agents",
    level: "bad",
    find: (seen) => groupAgents(seen, "failed"),
    cause: "{agents} ended before the job did. {why}",
    evidence: "{line}",
    next: "{after}",
  },
]);

/** One finding for all agents that the same thing ails: the first one's line shows it. */
function groupAgents(
  seen: ContestSymptoms,
  ailment: AgentAilment,
  isMeant: (agent: AgentSymptoms) => boolean = () => true,
): readonly ContestFacts[] {
  const signs = seen.agents
    .filter(isMeant)
    .map((agent) => ({ agent, sign: findAgentSign(agent) }))
    .filter(({ sign }) => sign.ailment === ailment);
  const [first] = signs;
  if (first === undefined) return [];
  const { parallelism = null, handle = "" } = seen.job ?? {};
  const end = first.agent.ends.at(-1);
  return [
    {
      agents: signs.map(({ agent }) => agent.name).join(", "),
      states: signs.map(({ agent }) => `${agent.name} is ${agent.state}`).join(", "),
      ...{ line: first.sign.line, run: first.agent.run, handle },
      cap: parallelism === null ? "" : ` (${parallelism} for this job)`,
      why: end?.cause ?? "",
      after: end?.next ?? `\`sortie logs ${first.agent.run}\`, then \`sortie agents launch\` again.`,
    },
  ];
}

function isOver({ job }: ContestSymptoms): boolean {
  return job?.isTerminal === true;
}
