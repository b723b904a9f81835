import { dirname } from "node:path/posix";
import { SortieError } from "../../../base/error.ts";
import { makeToken } from "../../../base/ids.ts";
import { makeSettings, readAnswer } from "../../../base/script.ts";
import { makeHostScript } from "../../../targets/ssh/host-script.ts";
import type { Target } from "../../../targets/target.ts";
import type { Desk } from "../../desk.ts";
import { AGENT_FILE, type AgentProgram, readAgentFile } from "./agent-program.ts";
import checkAgent from "./scripts/check-agent.sh";

const ANSWER_MS = 60_000;

/**
 * Makes sure that the agents' program lies on its host, by its hash: nothing is sent where it does already.
 * @throws fleet_agent_unsent, and what the network throws
 */
export async function sendAgent(
  desk: Pick<Desk, "self">,
  target: Target,
  program: AgentProgram,
): Promise<void> {
  if (target.send === null) throw new SortieError("target_unsupported", { kind: target.kind });
  if ((await checkOnHost(target, program)) === "there") return;
  const { folder: source, sha256 } = readAgentFile(desk);
  if (sha256 !== program.sha256) throw refuse(target, program, "Sortie was changed since the plan was made");
  const list = Buffer.from(`./${AGENT_FILE}\0`);
  await target.send({ source, codeDir: dirname(program.path), list, byContent: true }, {});
  const state = await checkOnHost(target, program);
  if (state !== "there") throw refuse(target, program, `it is ${state} there`);
}

async function checkOnHost(target: Target, program: AgentProgram): Promise<string> {
  const { node, path, sha256 } = program;
  const token = makeToken();
  const settings = { sortie_node: node, sortie_agent: path, sortie_sha256: sha256, sortie_token: token };
  const lines = await target.ask?.({
    script: makeHostScript([makeSettings(settings), checkAgent]),
    timeoutMs: ANSWER_MS,
    read: (stdout) => readAnswer(stdout, token),
  });
  const { state, fault = "it could not be looked at" } = Object.fromEntries(lines ?? []);
  if (state === undefined) throw refuse(target, program, fault);
  return state;
}

function refuse({ host }: Target, { path }: AgentProgram, reason: string): SortieError {
  return new SortieError("fleet_agent_unsent", { host, path, reason });
}
