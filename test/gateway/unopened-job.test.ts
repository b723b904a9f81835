import { expect, it, onTestFinished, vi } from "vitest";
import { SortieError } from "../../src/base/error.ts";
import { ChallengeJobs } from "../../src/gateway/host/challenge-jobs.ts";
import { hashToken, makeJobToken } from "../../src/gateway/job-token.ts";
import { insertJob } from "../../src/gateway/records/jobs.ts";
import { pack } from "../../src/payload/pack.ts";
import { makeAction } from "../support/actions.ts";
import { logIn, useChallenge, waitForEnd } from "../support/challenge.ts";
import { dialRaw } from "../support/raw-agent.ts";
import { waitFor } from "../support/wait-for.ts";

const challenge = useChallenge();
const busy = new SortieError("store_busy", { path: "gateway.db", seconds: 1 });

it("a job that cannot be opened when it is submitted is answered as any other, and opened within moments", async () => {
  const gateway = await challenge.host();
  await challenge.addUser();
  const ann = await logIn(gateway.apiUrl);
  const open = vi.spyOn(ChallengeJobs.prototype, "open").mockImplementation(() => {
    throw busy;
  });
  onTestFinished(() => open.mockRestore());
  const job = await ann.submit();
  expect(job).toEqual({
    ...{ id: 1, uuid: expect.any(String), parallelism: expect.any(Number) },
    ...{ tunnel_endpoint: gateway.tunnelUrl, job_token: expect.any(String) },
  });
  expect(gateway.find("server_fault")).toMatchObject([{ why: busy.message }]);
  const dial = () => dialRaw({ tunnelUrl: job.tunnel_endpoint }, { uuid: job.uuid, token: job.job_token });
  expect((await (await dial()).closed).code).toBe(401);
  open.mockRestore();
  const agent = await dialUntilOpen({ uuid: job.uuid, token: job.job_token, tunnelUrl: job.tunnel_endpoint });
  agent.serve(() => pack(makeAction()));
  expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
  // One that has ended is not opened again.
  expect(gateway.find("job_ended")).toHaveLength(1);
  expect((await (await dial()).closed).code).toBe(401);
});

it("a job that is on record is opened as soon as all of it can be read, and not by halves", async () => {
  const gateway = await challenge.host();
  const user = await challenge.addUser();
  const ann = await logIn(gateway.apiUrl);
  const records = challenge.openRecords();
  const token = makeJobToken();
  const uuid = "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b";
  records.change("ALTER TABLE users RENAME TO elsewhere");
  const id = insertJob(
    records,
    {
      ...{ uuid, userId: user.id, name: "missed", board: "instruction", modelName: "model", parallelism: 1 },
      ...{ tokenHash: hashToken(token), quotaDay: "2026-11-29" },
      cases: [{ task: "pick", taskId: 1, index: 0, seed: 1 }],
    },
    new Date(),
  );
  await waitFor(() => gateway.find("store_fault").length > 0, { what: "a try that fails" });
  records.change("ALTER TABLE elsewhere RENAME TO users");
  const agent = await dialUntilOpen({ uuid, token, tunnelUrl: gateway.tunnelUrl });
  agent.serve(() => pack(makeAction()));
  expect(await waitForEnd(ann, id)).toMatchObject({ status: 2, score: 1 });
});

/** Dials as an agent does, until it is let in. */
function dialUntilOpen({ tunnelUrl, ...job }: { uuid: string; token: string; tunnelUrl: string }) {
  return waitFor(
    async () => {
      const agent = await dialRaw({ tunnelUrl }, job);
      return agent.webSocket.readyState === agent.webSocket.OPEN ? agent : undefined;
    },
    { what: "an agent that is let in" },
  );
}
