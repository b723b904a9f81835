import { expect, it, onTestFinished } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { beginAttempt, endAttempt, listOpenAttempts } from "./attempts.ts";
import { listCases } from "./cases.ts";
import { insertJob } from "./jobs.ts";
import { openRecords } from "./open-records.ts";
import { keepReply, listReplies, MOST_REPLY_BYTES, MOST_SESSION_BYTES } from "./replies.ts";
import { insertUser } from "./users.ts";

const temp = useTempFolder();
const now = new Date();

/** The database of a gateway on which the first of two cases is being played, in session s. */
function openWithSession() {
  const records = openRecords(temp());
  onTestFinished(() => records.close());
  const user = insertUser(records, { email: "a@example.org", name: "a", passwordHash: "" }, now);
  const jobId = insertJob(
    records,
    {
      ...{ uuid: "u", userId: user.id, name: "j", board: "b", modelName: "m", parallelism: 1 },
      ...{ tokenHash: Buffer.from("t"), quotaDay: "2026-11-29" },
      cases: [0, 1].map((index) => ({ task: "t", taskId: 1, index, seed: index })),
    },
    now,
  );
  const caseId = listCases(records, jobId)[0]?.id as number;
  beginAttempt(records, { caseId, jobId, sessionId: "s", agentId: "a" }, now);
  const keep = (number: number, payload?: Uint8Array) => keepReply(records, "s", { number, payload });
  return { records, jobId, caseId, keep, find: () => listOpenAttempts(records)[0] };
}

it("keeps the replies of a session in their order, and forgets them with its end", () => {
  const { records, keep, find } = openWithSession();
  keep(1, Buffer.from("one"));
  keep(2, Buffer.from("two"));
  expect(listReplies(records, "s").map(String)).toEqual(["one", "two"]);
  expect(find()).toMatchObject({ replies: 2, isResumable: true });
  expect(endAttempt(records, "s", { reason: "none", detail: null }, now)).toBe(true);
  expect(listReplies(records, "s")).toEqual([]);
});

it("counts replies without a payload", () => {
  const { records, keep, find } = openWithSession();
  keep(1);
  keep(2);
  expect([find()?.replies, listReplies(records, "s")]).toEqual([2, []]);
});

it("keeps nothing of a session with a reply that is too large", () => {
  const { records, keep, find } = openWithSession();
  keep(1, Buffer.alloc(MOST_REPLY_BYTES));
  expect(find()?.isResumable).toBe(true);
  keep(2, Buffer.alloc(MOST_REPLY_BYTES + 1));
  keep(3, Buffer.from("small"));
  expect([find()?.isResumable, listReplies(records, "s")]).toEqual([false, []]);
});

it("keeps nothing of a session whose replies together are too much, and the file takes no more than that", () => {
  const { records, keep, find } = openWithSession();
  const most = MOST_SESSION_BYTES / MOST_REPLY_BYTES;
  for (let number = 1; number <= most; number += 1) keep(number, Buffer.alloc(MOST_REPLY_BYTES));
  expect([find()?.isResumable, listReplies(records, "s").length]).toEqual([true, most]);
  for (let number = most + 1; number <= 2 * most; number += 1) keep(number, Buffer.alloc(MOST_REPLY_BYTES));
  expect([find()?.isResumable, listReplies(records, "s").length]).toEqual([false, 0]);
  const pages = records.find("PRAGMA page_count")?.["page_count"] as number;
  expect(pages * 4096).toBeLessThan(1.1 * MOST_SESSION_BYTES);
});

it("knows whether a session that ends had its case", () => {
  const { records, jobId, caseId } = openWithSession();
  const begin = () => beginAttempt(records, { caseId, jobId, sessionId: "second", agentId: "b" }, now);
  expect(begin).toThrow(/UNIQUE/);
  expect(listCases(records, jobId)[0]).toMatchObject({ state: "playing", attempts: 1 });
  expect(endAttempt(records, "second", { reason: "none", detail: null }, now)).toBe(false);
  expect(endAttempt(records, "s", { reason: "none", detail: null }, now)).toBe(true);
  expect(endAttempt(records, "s", { reason: "none", detail: null }, now)).toBe(false);
});
