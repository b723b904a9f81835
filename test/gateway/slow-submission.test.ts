import { request } from "node:http";
import { expect, test, vi } from "vitest";
import { findJob } from "../../src/gateway/records/jobs.ts";
import { changeLimit, changePassword, deleteUser } from "../../src/gateway/records/users.ts";
import { startApiStage } from "../support/api-stage.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { waitFor } from "../support/wait-for.ts";

const folder = useTempFolder();
const body = JSON.stringify({ name: "slow", config: { board: "manip", model_name: "pi0" } });

type Stage = Awaited<ReturnType<typeof startApiStage>>;

/** Submits a job whose body comes only after `meanwhile`, when the login was looked at. */
async function submitSlowly(meanwhile: (stage: Stage, userId: number) => void) {
  const stage = await startApiStage(folder());
  const user = await stage.addUser();
  const looks = vi.spyOn(stage.records, "find");
  const headers = {
    ...{ authorization: `Bearer ${user.token}`, "content-type": "application/json" },
    "content-length": Buffer.byteLength(body),
  };
  const target = { host: "127.0.0.1", port: stage.port, method: "POST", path: "/api/challenge/job" };
  const sent = request({ ...target, headers, agent: false });
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    sent.once("error", reject).once("response", async (response) => {
      let text = "";
      for await (const part of response) text += part;
      resolve({ status: response.statusCode ?? 0, text });
    });
  });
  sent.flushHeaders();
  await waitFor(() => looks.mock.calls.length > 0, { what: "the look at the login" });
  meanwhile(stage, user.id);
  sent.end(body);
  return { stage, ...(await answered) };
}

test.each<[string, (stage: Stage, userId: number) => void, RegExp]>([
  ["was deleted", ({ records, state }, id) => deleteUser(records, id, state.now), /no such user any more/],
  ["has another password", ({ records }, id) => changePassword(records, id, "-"), /password was changed/],
])("a user who %s while the body came submits nothing", async (_, meanwhile, says) => {
  const { stage, status, text } = await submitSlowly(meanwhile);
  expect(status).toBe(401);
  expect(JSON.parse(text).error).toMatch(says);
  expect([findJob(stage.records, 1), stage.state.opened]).toEqual([undefined, []]);
});

test("limits that were changed while the body came hold", async () => {
  const changed = await submitSlowly(({ records }, id) => changeLimit(records, id, "parallelism", 7));
  expect([changed.status, JSON.parse(changed.text).parallelism]).toEqual([200, 7]);
  expect(findJob(changed.stage.records, 1)?.parallelism).toBe(7);
});

test("a quota that was taken away while the body came is used up", async () => {
  const { status, text } = await submitSlowly(({ records }, id) => changeLimit(records, id, "quota", 0));
  expect(status).toBe(400);
  expect(JSON.parse(text).error).toMatch(/^upload limit reached/);
});
