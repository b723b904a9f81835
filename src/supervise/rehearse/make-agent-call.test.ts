import { expect, it } from "vitest";
import { makeAgentCall } from "./make-agent-call.ts";
import type { RehearseOptions } from "./rehearse-options.ts";

const options: RehearseOptions = {
  ...{ handler: "policy:handle", agents: 1, board: "manip", payload: "g2", budgetMs: 1000 },
  ...{ cwd: "/work", env: {}, self: ["node", "sortie"] },
};
const call = { jobUuid: "the-job", gatewayUrl: "ws://127.0.0.1:1/t", token: "the-token", folder: "/logs" };
const member = { number: 1, mark: "SORTIE_REHEARSAL=the-job-1" };

it("leads an agent to the rehearsal, whatever the person's own challenge has in the environment", () => {
  const own = {
    ...{ JOB_TOKEN: "own", CHALLENGE_TOKEN: "own", SORTIE_ACCESS_TOKEN: "own", JOB_UUID: "own", JOB_ID: "1" },
    ...{ CHALLENGE_PASSWORD: "own", CHALLENGE_EMAIL: "own", SORTIE_CHALLENGE_URL: "own", AGENT_ID: "own" },
    ...{ SIMUBOTIX_GATEWAY_URL: "own", TUNNEL_ENDPOINT: "own" },
  };
  const { env } = makeAgentCall({ ...options, env: { ...own, PATH: "/bin" } }, call, member);
  expect(env).toEqual({
    ...{ PATH: "/bin", PYTHONUNBUFFERED: "1", SORTIE_REHEARSAL: "the-job-1", SORTIE_BOARD: "manip" },
    ...{ JOB_TOKEN: "the-token", CHALLENGE_TOKEN: "the-token", JOB_UUID: "the-job" },
    ...{ TUNNEL_ENDPOINT: "ws://127.0.0.1:1/t", SORTIE_HANDLER: "policy:handle" },
  });
});

it("has the token in no argument", () => {
  for (const agentCommand of [undefined, "./tunnel.sh"]) {
    const { argv } = makeAgentCall({ ...options, agentCommand }, call, member);
    expect(argv).toContain("the-job");
    expect(argv.join(" ")).not.toContain("the-token");
  }
});
