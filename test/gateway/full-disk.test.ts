import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pack } from "../../src/payload/pack.ts";
import { makeAction } from "../support/actions.ts";
import { makePlainHandler, patientTimers, useAgents } from "../support/agents.ts";
import { logIn, makeEchoBoard, useChallenge, waitForEnd } from "../support/challenge.ts";
import { canMount, useMounts } from "../support/mounts.ts";
import { waitFor } from "../support/wait-for.ts";

const challenge = useChallenge();
const startAgent = useAgents();
const mounts = useMounts();
const action = pack(makeAction());
const MIB = 1024 * 1024;

it.skipIf(!canMount())("a disk that fills up costs no case, and no end of one", async () => {
  mounts.mountSmall(challenge.dataFolder(), 16 * 1024);
  const gateway = await challenge.host({
    boards: { instruction: makeEchoBoard(2, 30) },
    recordings: { folder: "data/recordings", max_size: "10GB" },
  });
  await challenge.addUser();
  const ann = await logIn(gateway.apiUrl);
  const job = await ann.submit();
  let asked = 0;
  const ballast = join(challenge.dataFolder(), "ballast");
  const handle = async () => {
    asked += 1;
    // Behind the first answers nothing more can be written, by recordings or database.
    if (asked === 5) {
      expect(() => writeFileSync(ballast, Buffer.alloc(32 * MIB))).toThrow(/ENOSPC/);
    }
    return action;
  };
  const { agent } = startAgent({
    ...{ gatewayUrl: job.tunnel_endpoint, jobUuid: job.uuid, token: job.job_token },
    handler: makePlainHandler({ handle }),
    timers: patientTimers,
  });
  await waitFor(() => gateway.find("case_ended").length === 2, {
    timeoutMs: 30_000,
    what: "the end of both cases",
  });
  expect(gateway.find("case_ended").map(({ score }) => score)).toEqual([1, 1]);
  for (const fault of ["recording_fault", "store_fault"] as const)
    await waitFor(() => gateway.find(fault).length > 0, { what: fault });
  expect(await (await fetch(`${gateway.apiUrl}/healthz`)).text()).not.toContain('"status":"ok","parts"');
  // No agent is sent home before the end of its job is on record: after a crash nobody would come back.
  expect(gateway.find("drain_sent")).toEqual([]);
  rmSync(ballast);
  expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
  expect((await agent.ended).outcome).toBe("drained");
});
