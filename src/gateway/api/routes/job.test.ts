import { describe, expect, test } from "vitest";
import { addAttempt, addJob, endJob } from "../../../../test/support/api-jobs.ts";
import { startApiStage } from "../../../../test/support/api-stage.ts";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import type { BehaviourName } from "../../config/behaviours.ts";
import { countFailures } from "../../records/attempts.ts";

const folder = useTempFolder();
const behaviours: BehaviourName[] = ["sortie", "old", "new", "field"];

async function startWithUser(options: Parameters<typeof startApiStage>[1] = {}) {
  const stage = await startApiStage(folder(), options);
  const user = await stage.addUser();
  const ask = (id: number | string, what: string) =>
    stage.get(`/api/challenge/job/${id}/${what}`, user.token);
  return { stage, user, ask };
}

describe("a result", () => {
  // The example of PROTOCOL 1.2.
  const scores = { pick: [95, 92, 88], place: [99, 99, 100] };

  test.each<[BehaviourName, object]>([
    ["old", { status: "Pending", tasks: [275, 298], total: 573 }],
    ["new", { tasks: [275 / 3, 298 / 3], total: 573 / 3 }],
    ["field", { tasks: [275 / 3, 298 / 3], total: 573 / 6 }],
    ["sortie", { tasks: [275 / 3, 298 / 3], total: 573 / 6 }],
  ])("is totalled as %s does", async (behaviour, expected) => {
    const { stage, user, ask } = await startWithUser({ behaviour });
    const id = addJob(stage, user.id, { scores });
    const { status, body } = await ask(id, "result");
    expect(status).toBe(200);
    expect(body.tasks.pick.score).toEqual([95, 92, 88]);
    const totals = [body.tasks.pick.total, body.tasks.place.total];
    expect({ ...body, tasks: totals }).toEqual(expected);
  });

  test.each(behaviours)(
    "as %s has it shows what has no score as null, and leaves it out of totals",
    async (behaviour) => {
      const { stage, user, ask } = await startWithUser({ behaviour });
      const id = addJob(stage, user.id, { scores: { pick: [0.5, null, undefined], place: [null] } });
      const { body } = await ask(id, "result");
      expect([body.tasks, body.total]).toEqual([
        { pick: { score: [0.5, null, null], total: 0.5 }, place: { score: [null], total: null } },
        0.5,
      ]);
    },
  );

  test("without a single score has no total", async () => {
    const { stage, user, ask } = await startWithUser();
    expect((await ask(addJob(stage, user.id), "result")).body.total).toBe(null);
  });

  test("has tasks of any name", async () => {
    const { stage, user, ask } = await startWithUser();
    const id = addJob(stage, user.id, { scores: { ["__proto__"]: [1], constructor: [0.5] } });
    expect((await ask(id, "result")).text).toContain('"__proto__":{"score":[1],"total":1}');
  });
});

describe("a log", () => {
  test.each(behaviours)("as %s has it is of the newest attempt that failed", async (behaviour) => {
    const { stage, user, ask } = await startWithUser({ behaviour });
    const id = addJob(stage, user.id, { scores: { pick: [1], place: [undefined] } });
    addAttempt(stage, id, { case: 1, reason: "timeout" });
    const detail = "reconnect window expired";
    const session = addAttempt(stage, id, { case: 1, reason: "tunnel_lost", detail });
    addAttempt(stage, id, { case: 0, reason: "none" });
    const { status, body } = await ask(id, "log");
    const end =
      behaviour === "old"
        ? { stdout: "", stderr: `tunnel_lost: ${detail}`, exit_code: 1 }
        : { result: { failure: "tunnel_lost", error: detail } };
    expect([status, body]).toEqual([
      200,
      {
        ...{ id: 2, job_id: id, task_id: 2, case_id: 2, run_instance_id: session, worker_id: "agent-1" },
        ...{ status: 1, failure_reason: 9, created_at: "2026-11-29T12:00:00.000Z", ...end },
      },
    ]);
  });

  test.each([
    ["tunnel_lost", 9, "startup reconcile"],
    ["killed", 4, "liveness probe"],
    ["sibling_of_dead_job", 8, undefined],
  ] as const)("says %s as %i, with the detail", async (reason, number, detail) => {
    const { stage, user, ask } = await startWithUser();
    const id = addJob(stage, user.id);
    addAttempt(stage, id, { reason, detail });
    expect((await ask(id, "log")).body).toMatchObject({
      ...{ failure_reason: number, result: { failure: reason, error: detail ?? null } },
    });
  });

  test("says whose fault it was where a simulator failed, and counts no failure of the agent", async () => {
    const { stage, user, ask } = await startWithUser();
    const id = addJob(stage, user.id);
    const detail = "The simulator of case 1 broke the protocol: a text frame.";
    addAttempt(stage, id, { reason: "execution_error", isBySimulator: true, detail });
    expect((await ask(id, "log")).body).toMatchObject({
      ...{ failure_reason: 1, result: { failure: "simulator_error", error: detail } },
    });
    expect(countFailures(stage.records, id)).toEqual(new Map());
    addAttempt(stage, id, { reason: "execution_error" });
    expect([...countFailures(stage.records, id).values()]).toEqual([1]);
  });

  test.each(behaviours)("of a job without a failure is 500 as %s has it", async (behaviour) => {
    const { stage, user, ask } = await startWithUser({ behaviour });
    const id = addJob(stage, user.id);
    addAttempt(stage, id, { reason: "none" });
    const { status, body } = await ask(id, "log");
    expect([status, body]).toEqual([
      500,
      { status: "error", error: expect.stringMatching(/^failed to get case exec log/) },
    ]);
    expect(stage.state.faults).toEqual([]);
  });
});

describe.each(behaviours)("a call about one job, as %s has it,", (behaviour) => {
  const hasVideos = behaviour === "sortie" || behaviour === "new";
  const calls = ["result", "log", ...(hasVideos ? ["episodes/videos"] : [])];
  const uuid = "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b";

  test.each(calls)("%s wants a number for an id", async (what) => {
    const { ask, stage } = await startWithUser({ behaviour });
    for (const id of [uuid, "-1", "1.5", "1e3", "0x1", "9".repeat(16), "%00", "1%20OR%201=1"]) {
      const { status, body } = await ask(id, what);
      const error = `invalid job_id: ${decodeURIComponent(id)}`;
      expect([status, body]).toEqual([behaviour === "field" ? 500 : 400, { status: "error", error }]);
    }
    expect(stage.state.faults).toEqual([]);
  });

  test.each(calls)("%s is 404 for a job of somebody else, as for one that is not there", async (what) => {
    const { stage, ask } = await startWithUser({ behaviour });
    const other = await stage.addUser({ email: "bob@example.org" });
    const id = addJob(stage, other.id);
    endJob(stage, id, 2, 1);
    for (const number of [id, 999]) {
      const { status, body } = await ask(number, what);
      expect([status, body]).toEqual([404, { status: "error", error: `there is no job ${number}` }]);
    }
  });

  test.each(calls)("%s wants a login", async (what) => {
    const { stage } = await startWithUser({ behaviour });
    expect((await stage.get(`/api/challenge/job/1/${what}`)).status).toBe(401);
  });

  test(`episodes/videos is ${hasVideos ? "there" : "unknown"}`, async () => {
    const { stage, user, ask } = await startWithUser({ behaviour });
    const { status } = await ask(addJob(stage, user.id), "episodes/videos");
    expect(status).toBe(hasVideos ? 200 : 404);
  });
});
