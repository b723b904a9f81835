import { fileURLToPath } from "node:url";
import { openWebSocket } from "../tunnel/callers.mjs";
import { startAgentHop } from "../tunnel/processes.mjs";

const AGENT = fileURLToPath(new URL("../tunnel/agent.mjs", import.meta.url));

/** An agent of a new job on this board, and the connection of the simulator that it answers: `keep` gets both. */
export async function openLiveSession(challenge, board, keep) {
  const { uuid, job_token: token } = await challenge.submit(board);
  const argv = [process.execPath, AGENT, challenge.said.tunnel, uuid];
  const agent = await keep(startAgentHop(argv, { env: { ...process.env, JOB_TOKEN: token } }));
  const address = `${challenge.said.policy.corobot}/?board=${board}`;
  return Promise.race([openWebSocket(address), agent.failed]);
}
