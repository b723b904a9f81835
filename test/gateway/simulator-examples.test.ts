import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listAttempts } from "../../src/gateway/records/attempts.ts";
import { listCases } from "../../src/gateway/records/cases.ts";
import { insertSimulatorKey } from "../../src/gateway/records/simulator-keys.ts";
import { readRecorded } from "../support/actions.ts";
import { logIn, useChallenge, waitForEnd } from "../support/challenge.ts";
import { findPythonLack, runPython } from "../support/python-simulator.ts";
import { dialRaw } from "../support/raw-agent.ts";

const challenge = useChallenge();
const lack = findPythonLack();

/** A hosted gateway with one case, its agent, and an example that plays the case. */
async function playExample(dialect: "openpi" | "corobot") {
  const boards = {
    kitchen: { simulator: "outside", payload: "opaque", tasks: { drawer: { cases: 1, seed: 41 } } },
  };
  const policy = { [dialect]: "127.0.0.1:0" };
  const gateway = await challenge.host({ boards, policy, recordings: "off" });
  await challenge.addUser();
  const ann = await logIn(gateway.apiUrl);
  const records = challenge.openRecords();
  const { key } = insertSimulatorKey(records, "kitchen", new Date());
  const job = await ann.submit("kitchen");
  const agent = await dialRaw({ tunnelUrl: job.tunnel_endpoint }, { uuid: job.uuid, token: job.job_token });
  agent.serve(() => readRecorded("openpi-action"));
  const file = join("examples", "simulators", `${dialect}_simulator.py`);
  const outcome = await runPython(file, [gateway.apiUrl, gateway.policyUrls[dialect] ?? "", key]);
  expect(outcome.exitCode, outcome.stderr).toBe(0);
  expect(outcome.stdout).toContain("'outcome': 'taken'");
  const ended = await waitForEnd(ann, job.id);
  return { ended, case: listCases(records, job.id)[0], attempt: listAttempts(records, job.id)[0] };
}

describe.skipIf(lack !== undefined)(`the examples${lack === undefined ? "" : ` (${lack})`}`, () => {
  it("play a case with the client of openpi", async () => {
    const { ended, ...played } = await playExample("openpi");
    expect(ended).toMatchObject({ status: 2, score: 0.5 });
    expect(played.case).toMatchObject({ state: "done", score: 0.5, steps: 5 });
    expect(played.attempt).toMatchObject({ replies: 5, detail: "the drawer is half open" });
  });

  it("play a case in the style of corobot, and tell the score after the good-bye", async () => {
    const { ended, ...played } = await playExample("corobot");
    expect(ended).toMatchObject({ status: 2, score: 1 });
    expect(played.case).toMatchObject({ state: "done", score: 1, steps: 5 });
    expect(played.attempt).toMatchObject({ replies: 5, failureReason: 0 });
  });
});
