import { expect, it } from "vitest";
import { beginAttempt, listAttempts } from "../../src/gateway/records/attempts.ts";
import { listCases } from "../../src/gateway/records/cases.ts";
import { pack } from "../../src/payload/pack.ts";
import { makeAction } from "../support/actions.ts";
import { makePlainHandler, useAgents } from "../support/agents.ts";
import { logIn, makeEchoBoard, useChallenge, waitForEnd } from "../support/challenge.ts";

const challenge = useChallenge();
const startAgent = useAgents();
const action = pack(makeAction());

it("a session that the database refuses as the second owner of a case is told as a fault, and scores nothing", async () => {
  const gateway = await challenge.host({ boards: { instruction: makeEchoBoard(1) } });
  await challenge.addUser();
  const ann = await logIn(gateway.apiUrl);
  const job = await ann.submit();
  const records = challenge.openRecords();
  const caseId = listCases(records, job.id)[0]?.id as number;
  const owner = { caseId, jobId: job.id, sessionId: "the first", agentId: "a" };
  beginAttempt(records, owner, new Date());
  startAgent({
    ...{ gatewayUrl: job.tunnel_endpoint, jobUuid: job.uuid, token: job.job_token },
    handler: makePlainHandler({ handle: async () => action }),
  });
  expect(await waitForEnd(ann, job.id)).toMatchObject({ score: null });
  expect(gateway.find("case_ended")).toMatchObject([{ score: 1 }]);
  expect(gateway.find("store_fault")).toMatchObject([{ why: expect.stringContaining("UNIQUE") }]);
  expect(listCases(records, job.id)).toMatchObject([{ state: "playing", score: null, attempts: 1 }]);
  expect(listAttempts(records, job.id)).toMatchObject([{ sessionId: "the first", endedAt: null }]);
});
