import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { logIn, useChallenge } from "../support/challenge.ts";
import { dialRaw } from "../support/raw-agent.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { readEntries } from "../support/recordings.ts";
import { waitFor } from "../support/wait-for.ts";

const challenge = useChallenge();
const values = {
  boards: { kitchen: { simulator: "outside", payload: "opaque", tasks: { drawer: { cases: 1, seed: 1 } } } },
  recordings: { folder: "recordings", max_size: "1GB" },
  simulators: { score_wait: "1s" },
};

it("the recording of a session that is played outside goes on over a restart of the gateway", async () => {
  const start = () => challenge.host(values, { openSimulators: true });
  const gateway = await start();
  await challenge.addUser();
  const job = await (await logIn(gateway.apiUrl)).submit("kitchen");
  const serve = async (agentId?: string) => {
    const keys = { uuid: job.uuid, token: job.job_token };
    const agent = await dialRaw({ tunnelUrl: job.tunnel_endpoint }, keys, { agentId });
    agent.serve((payload) => Buffer.from(String(payload).replace("look", "move")));
    return agent;
  };
  const agent = await serve();
  const url = `${gateway.apiUrl.replace("http", "ws")}/api/simulator/policy/corobot?case=1`;
  const play = async (...looks: string[]) => {
    const simulator = await dialSimulator(url);
    for (const look of looks) await simulator.ask(Buffer.from(look));
    return simulator;
  };
  await play("look 1", "look 2");
  await gateway.stop(0);
  const next = await start();
  await serve(agent.agentId);
  (await play("look 3")).webSocket.close();
  await waitFor(() => next.find("case_ended").length > 0, { what: "the end of the case" });
  await next.stop(0);
  const files = readdirSync(join(challenge.temp(), "recordings"));
  expect(files).toHaveLength(1);
  const parts = await readEntries(join(challenge.temp(), "recordings", files[0] as string));
  expect(parts.map((part) => ("payload" in part ? String(part.payload) : part.type))).toEqual([
    ...["info", "look 1", "move 1", "look 2", "move 2", "look 3", "move 3", "end"],
  ]);
});
