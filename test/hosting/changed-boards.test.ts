import { expect, it } from "vitest";
import { listAttempts } from "../../src/gateway/records/attempts.ts";
import { listCases } from "../../src/gateway/records/cases.ts";
import { logIn, makeEchoBoard, useChallenge } from "../support/challenge.ts";
import type { GatewayProcess } from "../support/gateway-process.ts";
import { dialRaw } from "../support/raw-agent.ts";
import { makeSortie } from "../support/sortie.ts";

const challenge = useChallenge();
const sortie = makeSortie(challenge.temp);
const ask = (...words: string[]) => sortie.ask(["gateway", ...words, "--config", challenge.configFile()]);

const echo = makeEchoBoard(1);
const outside = { simulator: "outside", tasks: { pick: { cases: 1, seed: 1 } } };
const host = (boards: object) => challenge.start({ boards, timers: { window: "20s", drain: "1s" } });
const stop = async (gateway: GatewayProcess) => {
  gateway.kill("SIGKILL");
  await gateway.exitCode;
};
const readHealth = async ({ api }: GatewayProcess) => {
  const response = await fetch(`${api}/healthz`);
  return { ...((await response.json()) as { parts: object }), status: response.status };
};
const listWaits = ({ output }: GatewayProcess) =>
  output.stderr
    .split("\n")
    .filter((line) => line.includes('"job_waits"'))
    .map((line) => JSON.parse(line));

/** A job of board spatial whose case is being played when the gateway is killed, and one of board manip. */
async function killInMidCase() {
  const gateway = await host({ spatial: echo, manip: outside });
  await challenge.addUser();
  const ann = await logIn(gateway.api);
  const job = await ann.submit("spatial");
  await ann.submit("manip");
  const agent = await dialRaw({ tunnelUrl: job.tunnel_endpoint }, { uuid: job.uuid, token: job.job_token });
  await agent.waitForControl("warmup");
  agent.say({ type: "ready" });
  await agent.waitForFrame();
  await stop(gateway);
  await agent.closed;
  return { ann, agent, job };
}

it("a job whose board is gone from the configuration is told in log and health, and loses no attempt", async () => {
  const { job } = await killInMidCase();
  const without = await host({ manip: outside });
  const why =
    "job 1 waits for board spatial, which the configuration no longer has: put it back, or `sortie gateway cancel 1`";
  expect(listWaits(without)).toMatchObject([{ level: "warn", msg: why, job: job.uuid }]);
  expect(await readHealth(without)).toMatchObject({
    ...{ status: 200, parts: { jobs: { status: "degraded", why } } },
  });
  const records = challenge.openRecords();
  expect(listCases(records, 1)).toMatchObject([{ state: "waiting" }]);
  expect(listAttempts(records, 1)).toMatchObject([{ failureReason: 7 }]);
  expect((await ask("jobs", "--board", "spatial")).jobs).toMatchObject([{ id: 1, state: "running" }]);
  expect((await ask("jobs", "--board", "spatal")).error.code).toBe("board_unknown");
  await stop(without);

  const again = await host({ spatial: echo, manip: outside });
  expect(listWaits(again)).toEqual([]);
  expect(await readHealth(again)).toMatchObject({ parts: { jobs: { status: "ok" } } });
  await stop(again);

  const last = await host({ manip: outside });
  expect((await ask("cancel", "1", "--yes")).orders).toMatchObject([{ outcome: "job 1 is stopped" }]);
  expect(await readHealth(last)).toMatchObject({ parts: { jobs: { status: "ok" } } });
});

it("a job whose board is played by others than when it was submitted is told too", async () => {
  await killInMidCase();
  const swapped = await host({ spatial: outside, manip: echo });
  const [toOutside, toBuiltIn] = [
    "job 1 waits for a simulator from outside, since board spatial is no longer built in: change it back, or `sortie gateway cancel 1`",
    "job 2 was submitted for a simulator from outside, and board manip is built in now: change it back, or `sortie gateway cancel 2`",
  ];
  expect(listWaits(swapped).map(({ msg }) => msg)).toEqual([toOutside, toBuiltIn]);
  expect(await readHealth(swapped)).toMatchObject({
    parts: { jobs: { status: "degraded", why: `${toOutside}; ${toBuiltIn}` } },
  });
  expect(listAttempts(challenge.openRecords(), 1)).toMatchObject([{ failureReason: 7 }]);
  const ann = await logIn(swapped.api);
  await ann.submit("spatial");
  await stop(swapped);
  const once = await host({ spatial: outside, manip: outside });
  expect(listWaits(once).map(({ msg }) => msg)).toEqual([toOutside]);
});
