import { describe, expect, test } from "vitest";
import { startApiStage } from "../../../../test/support/api-stage.ts";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import type { BehaviourName } from "../../config/behaviours.ts";
import { isTokenOf } from "../../job-token.ts";
import { listCases } from "../../records/cases.ts";
import { findJob } from "../../records/jobs.ts";
import { changeLimit } from "../../records/users.ts";

const folder = useTempFolder();
const path = "/api/challenge/job";
const behaviours: BehaviourName[] = ["sortie", "old", "new", "field"];
const config = { board: "manip", model_name: "pi0" };
const body = { name: "first try", config };

async function startWithUser(options: Parameters<typeof startApiStage>[1] = {}) {
  const stage = await startApiStage(folder(), options);
  const user = await stage.addUser();
  const ask = async (what: string) => (await stage.get(`/api/challenge/${what}`, user.token)).body;
  return {
    ...stage,
    user,
    ask,
    submit: (sent: unknown) => stage.call("POST", path, { token: user.token, body: sent }),
  };
}

describe.each(behaviours)("a job submitted as %s has it", (behaviour) => {
  test("is recorded with its cases and opened", async () => {
    const { submit, ask, state, records } = await startWithUser({ behaviour });
    const paper_link = "https://example.org/paper";
    const { status, body: reply } = await submit({
      name: "first",
      config: { ...config, paper_link, description: "a\nb" },
    });
    expect(status).toBe(200);
    expect(reply).toMatchObject({
      id: 1,
      parallelism: 2,
      tunnel_endpoint: "ws://127.0.0.1:9/api/challenge/tunnel",
    });
    expect("job_token" in reply).toBe(behaviour !== "old");
    expect(state.opened).toEqual([1]);
    const job = findJob(records, 1);
    expect(job).toMatchObject({
      uuid: reply.uuid,
      name: "first",
      board: "manip",
      paperLink: paper_link,
      status: 0,
    });
    if (behaviour !== "old") expect(isTokenOf(job?.tokenHash as Buffer, reply.job_token)).toBe(true);
    expect(listCases(records, 1).map(({ task, taskId, index, seed }) => [task, taskId, index, seed])).toEqual(
      [
        ["pick", 1, 0, 100],
        ["pick", 1, 1, 101],
        ["place", 2, 0, 7],
        ["place", 2, 1, 8],
        ["place", 2, 2, 9],
      ],
    );
    expect(await ask("submission/quota")).toEqual({ limit: 4, used: 1, remaining: 3 });
  });

  test.each<[string, unknown, RegExp]>([
    ["of no board", { ...body, config: { ...config, board: "nowhere" } }, /^invalid board$/],
    [
      "of a board that SQL made up",
      { ...body, config: { ...config, board: "' OR 1=1 --" } },
      /^invalid board$/,
    ],
    [
      "of a board without tasks",
      { ...body, config: { ...config, board: "bare" } },
      /^no task templates for board$/,
    ],
    [
      "with a link that is none",
      { ...body, config: { ...config, paper_link: "paper.pdf" } },
      /^paper_link is not a valid URL$/,
    ],
    [
      "with a link to a script",
      { ...body, config: { ...config, paper_link: "javascript:alert(1)" } },
      /^paper_link is not a valid URL$/,
    ],
    [
      "with a link too long",
      { ...body, config: { ...config, paper_link: `https://example.org/${"x".repeat(500)}` } },
      /^paper_link too long$/,
    ],
    ["without a name", { config }, /^body, name: Expected required property$/],
    ["with a number for a name", { ...body, name: 5 }, /^body, name: Expected string$/],
    ["with a name too long", { ...body, name: "x".repeat(129) }, /^body, name: Expected string length/],
    ["with a blank name", { ...body, name: "  " }, /^name is blank$/],
    ["with a null byte in its name", { ...body, name: "a\0b" }, /^body: a text holds a null character$/],
    ["with a tab in its name", { ...body, name: "a\tb" }, /^name has characters that are no text$/],
    [
      "of a great depth",
      `{"x":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
      /^body, name: Expected required/,
    ],
    [
      "with half a character",
      { ...body, config: { ...config, model_name: "\ud800" } },
      /^config.model_name has characters/,
    ],
    [
      "with an escape in its description",
      { ...body, config: { ...config, description: "\u001b[2J" } },
      /^config.description has/,
    ],
    [
      "without a board",
      { name: "x", config: { model_name: "m" } },
      /^body, config.board: Expected required property$/,
    ],
    ["that is a list", [body], /^body: Expected object$/],
  ])("%s is refused and uses nothing", async (_, sent, text) => {
    const { submit, ask, state } = await startWithUser({ behaviour });
    const { status, body: reply } = await submit(sent);
    expect([status, reply.status]).toEqual([400, "error"]);
    expect(reply.error).toMatch(text);
    expect((await ask("submission/quota")).used).toBe(0);
    expect([state.opened, state.faults]).toEqual([[], []]);
  });

  test("is refused once the day's are used up, until the next one begins", async () => {
    const { submit, ask, state } = await startWithUser({ behaviour });
    expect(await ask("model/upload/check")).toEqual({ status: "ok" });
    for (let number = 0; number < 4; number += 1) expect((await submit(body)).status).toBe(200);
    expect(await ask("submission/quota")).toEqual({ limit: 4, used: 4, remaining: 0 });
    const refused = await submit(body);
    expect([refused.status, refused.body.status]).toEqual([400, "error"]);
    expect(refused.body.error).toMatch(/^upload limit reached: 4 of 4 .* 00:00 \+08:00$/);
    expect((await ask("model/upload/check")).error).toMatch(/upload limit/);
    state.now = new Date("2026-11-29T16:00:00Z");
    expect((await submit(body)).status).toBe(200);
    state.now = new Date("2026-11-29T15:59:59Z"); // a clock that was set back
    expect((await submit(body)).status).toBe(400);
  });
});

test("of twenty submissions at once with one left exactly one is taken", async () => {
  const { submit, user, records, state } = await startWithUser();
  changeLimit(records, user.id, "quota", 1);
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(body)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body: { error } }) => /^upload limit/.test(error))).toHaveLength(19);
  expect(state.opened).toHaveLength(1);
});

test("two jobs may have one name, and an empty link is as good as none", async () => {
  const { submit, ask } = await startWithUser();
  const sent = { ...body, config: { ...config, paper_link: "", description: "", model_path: "/old" } };
  expect([(await submit(sent)).status, (await submit(sent)).status]).toEqual([200, 200]);
  expect((await ask("jobs")).items[0]).toMatchObject({
    name: "first try",
    paper_link: null,
    description: null,
  });
});

test("what the user's record says comes before what the configuration says", async () => {
  const { submit, ask, user, records } = await startWithUser();
  changeLimit(records, user.id, "parallelism", 7);
  changeLimit(records, user.id, "quota", 9);
  expect(await ask("current-user-info")).toEqual({ name: "Ann", max_concurrent_cases: 7 });
  expect((await submit(body)).body.parallelism).toBe(7);
  expect(await ask("submission/quota")).toEqual({ limit: 9, used: 1, remaining: 8 });
});

test("the tunnel's endpoint is a JSON text", async () => {
  const { get, user } = await startWithUser();
  const { text, headers } = await get("/api/challenge/tunnel/endpoint", user.token);
  expect([text, headers["content-type"]]).toEqual([
    ...['"ws://127.0.0.1:9/api/challenge/tunnel"', expect.stringMatching(/^application\/json/)],
  ]);
});

test.each([
  ["POST", path],
  ["GET", "/api/challenge/current-user-info"],
  ["GET", "/api/challenge/submission/quota"],
  ["GET", "/api/challenge/model/upload/check"],
  ["GET", "/api/challenge/tunnel/endpoint"],
])("%s %s wants a login, before it reads anything", async (method, url) => {
  const { call } = await startWithUser();
  const answer = await call(method, url, method === "POST" ? { body: "{" } : {});
  expect([answer.status, answer.body.status]).toEqual([401, "error"]);
});

test.each([
  ["GET", "/nowhere", 404, /^there is nothing at \/nowhere$/],
  ["GET", "/api/challenge/job/../../etc/passwd", 404, /nothing at/],
  ["GET", "/api/challenge/%2e%2e%2f%00", 404, /nothing at/],
  ["GET", "/api/challenge/%zz?password=horse", 400, /^the path is not a valid URL$/],
  ["GET", path, 405, /^GET is not allowed here, only POST$/],
  ["DELETE", "/api/challenge/jobs", 405, /only GET$/],
  ["HEAD", "/api/challenge/jobs", 405, null],
  ["PUT", "/api/challenge/job/5/result", 405, /only GET$/],
])("%s %s is refused in the same shape", async (method, url, status, text) => {
  const { call, state } = await startWithUser();
  const answer = await call(method, url);
  expect(answer.status).toBe(status);
  if (text !== null) expect(answer.body).toEqual({ status: "error", error: expect.stringMatching(text) });
  if (status === 405) expect(answer.headers.allow).toMatch(/^(GET|POST)$/);
  expect(state.faults).toEqual([]);
});
