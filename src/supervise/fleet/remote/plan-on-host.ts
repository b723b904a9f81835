import { SortieError } from "../../../base/error.ts";
import { isLoopbackHost } from "../../../base/loopback.ts";
import { showUrl } from "../../../base/show-url.ts";
import { parseHandlerSpec } from "../../../handlers/handler-spec.ts";
import type { ServerFacts } from "../../../targets/target.ts";
import type { Desk } from "../../desk.ts";
import { forgetPlans } from "../../forget-plans.ts";
import type { Plan, RemoteTerms } from "../../plan.ts";
import { describeSync } from "../../remote/describe-remote.ts";
import { loadSend } from "../../remote/sent-files.ts";
import { listSent } from "../../remote/show-sync.ts";
import type { FleetRunner } from "../fleet.ts";
import type { FleetTerms } from "../fleet-terms.ts";
import { describeAgentProgram, planAgentProgram } from "./agent-program.ts";
import { checkRunnerIsSent, type ProjectPlace } from "./place-runner.ts";

/** What the host of a fleet makes of its plan. */
export interface OnHost {
  readonly terms: Pick<FleetTerms, "runner" | "host" | "agent">;
  /** What is brought there, in words. */
  readonly bringing: readonly string[];
  readonly notes: readonly string[];
}

interface Wanted {
  readonly runner: FleetRunner;
  readonly place: ProjectPlace;
  /** null: not known yet. */
  readonly endpoint: string | null;
}

/**
 * Looks at what the pattern's pre-flight has found on another host. Where the agents cannot be started there the pattern is
 * forgotten. @throws fleet_node_missing, fleet_runner_unsent, interpreter_missing, tool_missing, fleet_agent_unbuilt
 */
export function planOnHost(desk: Desk, pattern: Plan, wanted: Wanted): OnHost {
  const { remote } = pattern.terms;
  const server = desk.preflights.get(pattern.id)?.server;
  if (!remote || !server) return { terms: { runner: wanted.runner }, bringing: [], notes: [] };
  try {
    return lookAtHost(desk, pattern, wanted, { remote, server });
  } catch (fault) {
    forgetPlans(desk, [pattern.id]);
    throw fault;
  }
}

function lookAtHost(
  desk: Desk,
  pattern: Plan,
  { runner, place, endpoint }: Wanted,
  { remote, server }: { remote: RemoteTerms; server: ServerFacts },
): OnHost {
  const { host } = pattern.terms.target;
  const { sync } = remote;
  if (sync.kind === "rsync") checkRunnerIsSent(runner, place, loadSend(desk, pattern.id, sync.hash));
  const agent = runner.kind === "handler" ? planAgentProgram(desk, server, host) : null;
  return {
    terms: { runner: chooseInterpreter(runner, pattern), host, agent },
    bringing: [...describeSync(remote, host), ...(agent ? describeAgentProgram(agent, host) : [])],
    notes: [...listSent({ remote }), ...warnOfLoopback(endpoint, host)],
  };
}

/** That of the target's environment: what the project's own file says of a local one is about another machine. */
function chooseInterpreter(runner: FleetRunner, { terms }: Plan): FleetRunner {
  if (runner.kind === "script" || runner.python !== null) return runner;
  if (parseHandlerSpec(runner.handler, "/").language !== "python") return runner;
  const python = terms.environment.python?.path;
  if (python !== undefined) return { ...runner, python };
  const said = `in the environment of ${terms.target.name}, ${terms.environment.label}`;
  throw new SortieError("interpreter_missing", { program: "python3", said });
}

function warnOfLoopback(endpoint: string | null, host: string): string[] {
  if (endpoint === null || !URL.canParse(endpoint) || !isLoopbackHost(new URL(endpoint).hostname)) return [];
  return [
    `warning: ${showUrl(endpoint)} is an address that each machine has for itself: the agents dial ${host}, not this machine; name another with --gateway-url`,
  ];
}
