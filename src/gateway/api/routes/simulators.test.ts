import { describe, expect, test } from "vitest";
import { addJob, endJob } from "../../../../test/support/api-jobs.ts";
import { startApiStage } from "../../../../test/support/api-stage.ts";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import { SortieError } from "../../../base/error.ts";
import { beginAttempt } from "../../records/attempts.ts";
import { insertSimulatorKey, revokeSimulatorKey } from "../../records/simulator-keys.ts";

const folder = useTempFolder();

async function startWithCases(options: Parameters<typeof startApiStage>[1] = {}) {
  const stage = await startApiStage(folder(), options);
  const user = await stage.addUser();
  const outside = addJob(stage, user.id, { board: "robust", scores: { push: [undefined, 1, undefined] } });
  const builtIn = addJob(stage, user.id, { scores: { pick: [undefined] } });
  const ended = addJob(stage, user.id, { board: "robust", scores: { push: [undefined] } });
  endJob(stage, ended, 3, null);
  const { key, id: keyId } = insertSimulatorKey(stage.records, "robust", stage.state.now);
  const call = (method: string, path: string, call: { key?: string; body?: unknown } = { key }) => {
    const headers: Record<string, string> =
      call.key === undefined ? {} : { authorization: `Api-Key ${call.key}` };
    return stage.call(method, `/api/simulator/${path}`, { headers, body: call.body });
  };
  const score = (id: number | string, body: unknown) => call("POST", `case/${id}/score`, { key, body });
  return { stage, key, keyId, outside, builtIn, call, score };
}

describe("the waiting cases", () => {
  test("are those of the key's board, of jobs that have not ended", async () => {
    const { call, outside } = await startWithCases();
    const { status, body } = await call("GET", "cases");
    const row = { job: outside, board: "robust", task: "push" };
    expect([status, body]).toEqual([
      200,
      {
        items: [
          { ...row, id: 1, index: 0, seed: 0 },
          { ...row, id: 3, index: 2, seed: 2 },
        ],
      },
    ]);
  });

  test("are there without a key only where simulators need none, and then those that are played from outside", async () => {
    const open = await startWithCases({ openSimulators: true });
    expect((await open.call("GET", "cases", {})).body.items).toHaveLength(2);
    expect((await open.call("GET", "cases", { key: "wrong" })).status).toBe(401);
    const fromAfar = { headers: { "x-forwarded-for": "127.0.0.9" } };
    expect((await open.stage.call("GET", "/api/simulator/cases", fromAfar)).status).toBe(401);
  });

  test.each(["no key", "a wrong one", "one that was revoked", "a login"])("with %s are 401", async (what) => {
    const { stage, call, key, keyId } = await startWithCases();
    if (what === "one that was revoked") revokeSimulatorKey(stage.records, keyId, stage.state.now);
    const given = { "no key": {}, "a wrong one": { key: "f".repeat(64) }, "one that was revoked": { key } };
    const login = await stage.addUser({ email: "bob@example.org" });
    const { status, body } =
      what === "a login"
        ? await stage.get("/api/simulator/cases", login.token)
        : await call("GET", "cases", given[what as keyof typeof given]);
    expect([status, body.status]).toEqual([401, "error"]);
  });
});

describe("a score", () => {
  test.each([
    ["taken", 200],
    ["same", 200],
    ["kept", 409],
    ["too_early", 409],
    ["over", 409],
  ] as const)("that is %s is %i", async (outcome, status) => {
    const { stage, score } = await startWithCases();
    stage.state.outcome = outcome;
    const sent = { score: 0.5, steps: 7, detail: "fell" };
    const answer = await score(1, sent);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(
      status === 200 ? { status: "ok", outcome } : { status: "error", error: expect.any(String) },
    );
    expect(stage.state.scores).toEqual([{ caseId: 1, ...sent }]);
  });

  test("of a case of another board, or of none, is 404", async () => {
    const { stage, score } = await startWithCases();
    for (const id of [4, 999, "x", "1%00", "-1", "9".repeat(20)]) {
      const { status, body } = await score(id, { score: 1 });
      expect([status, body.error]).toEqual([
        404,
        expect.stringMatching(/^there is no case .* of this board$/),
      ]);
    }
    expect(stage.state.scores).toEqual([]);
  });

  test.each([
    ["nothing", undefined, 400],
    ["no number", { score: "1" }, 400],
    ["null", { score: null }, 400],
    ["more than 1", { score: 1.01 }, 400],
    ["less than 0", { score: -0.01 }, 400],
    ["no finite number", '{"score":1e999}', 400],
    ["half a step", { score: 1, steps: 0.5 }, 400],
    ["garbage", "]]", 400],
    ["70 kB", { score: 1, detail: "x".repeat(70_000) }, 413],
  ])("that is %s is refused", async (_, body, status) => {
    const { stage, score } = await startWithCases();
    const answer = await score(1, body);
    expect([answer.status, answer.body.status]).toEqual([status, "error"]);
    expect(stage.state.scores).toEqual([]);
  });

  test.each([
    ["line\nends\t and \u0007bells", "line ends  and  bells"],
    ["\u001b[31mred", "[31mred"],
    ["\u202egnp.exe \u2066x\u2069\u200f\u061c", "gnp.exe  x"],
    ["half a \ud800 pair", "half a   pair"],
    ["Schüssel 👩‍🍳 ist leer", "Schüssel 👩‍🍳 ist leer"],
    ["é".repeat(2_000), `${"é".repeat(999)}…`],
  ])("has a detail without what would harm a terminal or a page: %j", async (detail, kept) => {
    const { stage, score } = await startWithCases();
    expect((await score(1, { score: 1, detail })).status).toBe(200);
    expect(stage.state.scores).toEqual([{ caseId: 1, score: 1, detail: kept }]);
  });

  test("is taken with a key that was revoked while the case was played, and of no other case", async () => {
    const { stage, score, call, keyId, outside } = await startWithCases();
    const begin = (caseId: number, seconds: number) => {
      const session = { caseId, jobId: outside, sessionId: `s${caseId}`, agentId: "a" };
      beginAttempt(stage.records, session, new Date(stage.state.now.getTime() + seconds * 1000));
    };
    begin(1, -1);
    begin(3, 1);
    revokeSimulatorKey(stage.records, keyId, stage.state.now);
    expect((await score(1, { score: 0.5 })).status).toBe(200);
    for (const id of [2, 3, 4, 999, "x"])
      expect([id, (await score(id, { score: 1 })).status]).toEqual([id, 401]);
    expect((await call("GET", "cases")).status).toBe(401);
    expect(stage.state.scores).toEqual([{ caseId: 1, score: 0.5 }]);
  });

  test("wants a key, before it reads anything", async () => {
    const { call } = await startWithCases();
    expect((await call("POST", "case/1/score", { body: "{" })).status).toBe(401);
  });
});

test("a fault of the gateway's own is told to the organiser, and to the client only that there was one", async () => {
  const { stage, score } = await startWithCases();
  const scoreCase = () => {
    throw new SortieError("store_corrupt", { path: "/secret/place", reason: "malformed" });
  };
  Object.assign(stage.host, { scoreCase });
  const { status, body, text } = await score(1, { score: 1 });
  expect([status, body]).toEqual([
    500,
    { status: "error", error: expect.stringMatching(/fault of its own/) },
  ]);
  expect(text).not.toContain("secret");
  expect(stage.state.faults).toEqual([expect.objectContaining({ code: "store_corrupt" })]);
});
