import { describe, expect, test } from "vitest";
import { addJob, endJob } from "../../../../test/support/api-jobs.ts";
import { type ApiStage, startApiStage } from "../../../../test/support/api-stage.ts";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import type { BehaviourName } from "../../config/behaviours.ts";
import { markRunning, markStopping, reviveJob } from "../../records/jobs.ts";

const folder = useTempFolder();
const path = "/api/challenge/jobs";
const behaviours: BehaviourName[] = ["sortie", "old", "new", "field"];

async function startWithUser(options: Parameters<typeof startApiStage>[1] = {}) {
  const stage = await startApiStage(folder(), options);
  const user = await stage.addUser();
  return { stage, user, list: (query = "") => stage.get(`${path}?${query}`, user.token) };
}

describe.each(behaviours)("the jobs as %s lists them", (behaviour) => {
  test("are the caller's own, newest first, each with what is known of it", async () => {
    const { stage, user, list } = await startWithUser({ behaviour });
    const other = await stage.addUser({ email: "bob@example.org" });
    const first = addJob(stage, user.id, { name: "first", scores: { pick: [0.5, null, undefined] } });
    addJob(stage, other.id);
    const second = addJob(stage, user.id, { name: "second", paperLink: "https://example.org" });
    endJob(stage, second, 2, 0.25);
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 2, page: 1, per_page: 20, total_pages: 1 });
    expect(body.items.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual([
      [second, "second"],
      [first, "first"],
    ]);
    const isOld = behaviour === "old";
    expect(body.items[0]).toEqual({
      ...{
        id: second,
        [behaviour === "field" ? "job_uuid" : "uuid"]: expect.stringMatching(/^[\da-f-]{36}$/),
      },
      ...{ name: "second", board: "manip", model_name: "pi0", description: null, parallelism: 2 },
      ...{
        paper_link: "https://example.org",
        progress: { done: 0, total: 5 },
        score: 0.25,
        end_reason: null,
      },
      ...{ created_at: "2026-11-29T12:00:00.000Z", started_at: "2026-11-29T12:00:00.000Z" },
      ended_at: "2026-11-29T12:00:00.000Z",
      ...(isOld ? {} : { status: 2, detailed_status: "completed" }),
    });
    expect(body.items[1]).toMatchObject({ progress: { done: 2, total: 3 }, score: null, ended_at: null });
  });

  test("come in pages of the size that its documents can ask for", async () => {
    const { stage, user, list } = await startWithUser({ behaviour });
    for (let number = 0; number < 23; number += 1) addJob(stage, user.id, { scores: {} });
    const read = async (query: string) => {
      const { body } = await list(query);
      return [body.items.length, body.page, body.per_page, body.total, body.total_pages];
    };
    expect(await read("page=3&per-page=10")).toEqual([3, 3, 10, 23, 3]);
    expect(await read("page=9&per-page=10")).toEqual([0, 9, 10, 23, 3]);
    expect(await read("per-page=100000")).toEqual([23, 1, 100, 23, 1]);
    expect(await read("per_page=5")).toEqual(behaviour === "old" ? [5, 1, 5, 23, 5] : [20, 1, 20, 23, 2]);
  });
});

const put = {
  pending: () => undefined,
  queued: ({ state }: ApiStage, id: number) => void state.live.set(id, { connected: 1, playing: 0 }),
  begun: ({ state, records }: ApiStage, id: number) => {
    markRunning(records, id, state.now);
    state.live.set(id, { connected: 1, playing: 0 });
  },
  evaluating: ({ state, records }: ApiStage, id: number) => {
    markRunning(records, id, state.now);
    state.live.set(id, { connected: 2, playing: 1 });
  },
  unwritten: ({ state }: ApiStage, id: number) => void state.live.set(id, { connected: 2, playing: 1 }),
  requeued: (stage: ApiStage, id: number) => {
    endJob(stage, id, 4, null);
    reviveJob(stage.records, id);
    stage.state.live.set(id, { connected: 0, playing: 0 });
  },
  lost: ({ state, records }: ApiStage, id: number) => {
    markRunning(records, id, state.now);
    state.live.set(id, { connected: 0, playing: 1 });
  },
  stopping: ({ records }: ApiStage, id: number) => markStopping(records, id, "cancelled"),
  completed: (stage: ApiStage, id: number) => endJob(stage, id, 2, 1),
  stopped: (stage: ApiStage, id: number) => endJob(stage, id, 3, null),
  failed: (stage: ApiStage, id: number) => endJob(stage, id, 4, null),
};

test.each<[keyof typeof put, number, string | null, string]>([
  ["pending", 0, "pending", "Pending"],
  ["queued", 0, "queued", "Queued"],
  ["begun", 1, "queued", "Queued"],
  ["evaluating", 1, "evaluating", "Running"],
  ["unwritten", 0, "queued", "Queued"],
  ["requeued", 0, "pending", "Pending"],
  ["lost", 1, "inference_disconnected", "Running"],
  ["stopping", 5, null, "Running"],
  ["completed", 2, "completed", "Finished"],
  ["stopped", 3, "completed", "Cancelled"],
  ["failed", 4, "failed", "Failed"],
])("a job that is %s is %i, %s, and %s in the first documents", async (what, status, detailed, word) => {
  const { stage, user, list } = await startWithUser();
  const id = addJob(stage, user.id);
  put[what](stage, id);
  expect((await list()).body.items[0]).toMatchObject({ status, detailed_status: detailed });
  const old = await startApiStage(folder(), { behaviour: "old" });
  for (const [job, live] of stage.state.live) old.state.live.set(job, live);
  expect((await old.get(`/api/challenge/job/${id}/result`, user.token)).body.status).toBe(word);
});

test("the order is by any column of the list, and nothing else", async () => {
  const { stage, user, list } = await startWithUser();
  for (const [name, modelName] of [
    ["b", "m1"],
    ["a", "m2"],
    ["c", "m1"],
  ] as const)
    addJob(stage, user.id, { name, modelName, scores: {} });
  const names = async (query: string) => {
    const { body } = await list(query);
    return body.items.map(({ name }: { name: string }) => name).join("");
  };
  expect(await names("")).toBe("cab");
  expect(await names("order=asc")).toBe("bac");
  expect(await names("sort-by=name:asc")).toBe("abc");
  expect(await names("sort-by=name&order=desc")).toBe("cba");
  expect(await names("sort-by=model_name:desc")).toBe("acb");
  expect(await names("model_name=m1&sort-by=id:asc")).toBe("bc");
  expect(await names(`model_name=${encodeURIComponent("m1' OR '1'='1")}`)).toBe("");
});

test.each([
  ["sort-by=password_hash:asc", /^query, sort-by: there is no such column/],
  [`sort-by=${encodeURIComponent("id;DROP TABLE jobs--")}`, /^query, sort-by/],
  ["sort-by=id:asc:desc", /^query, sort-by/],
  ["sort-by=id:sideways", /^query, order or sort-by/],
  ["order=1", /^query, order or sort-by/],
  ["page=0", /^query, page: Expected integer to be greater or equal to 1/],
  ["page=-1", /^query, page/],
  ["page=1.5", /^query, page: Expected integer/],
  ["page=1e3", /^query, page/],
  ["page=", /^query, page/],
  ["page=99999999999999999999", /^query, page/],
  ["page=1&page=2", /^query, page/],
  ["per-page=0", /^query, per-page/],
  ["model_name=a&model_name=b", /^query, model_name: Expected string/],
])("a query %s is refused", async (query, text) => {
  const { list, stage } = await startWithUser();
  const { status, body } = await list(query);
  expect([status, body]).toEqual([400, { status: "error", error: expect.stringMatching(text) }]);
  expect(stage.state.faults).toEqual([]);
});

test("ten thousand jobs of one user come in whole pages, in order, none twice", async () => {
  const { stage, user, list } = await startWithUser();
  stage.records.together(() => {
    for (let number = 0; number < 10_000; number += 1)
      addJob(stage, user.id, { name: `job ${number % 7}`, scores: { pick: [0.5] } });
  });
  const seen: number[] = [];
  for (let page = 1; page <= 100; page += 1) {
    const { body } = await list(`page=${page}&per-page=100&sort-by=name:asc`);
    expect([body.total, body.total_pages, body.items.length]).toEqual([10_000, 100, 100]);
    seen.push(...body.items.map(({ id }: { id: number }) => id));
  }
  expect(new Set(seen).size).toBe(10_000);
  expect((await list("page=101&per-page=100")).body.items).toEqual([]);
});

test("a list wants a login", async () => {
  const { stage } = await startWithUser();
  expect((await stage.get(path)).status).toBe(401);
});
