import { describe, expect, it } from "vitest";
import { loadQuota, loadUser } from "../../src/challenge/api/account.ts";
import { findJob, listJobs, submitJob } from "../../src/challenge/api/jobs.ts";
import { loadLeaderboard } from "../../src/challenge/api/leaderboard.ts";
import { loadLog } from "../../src/challenge/api/log.ts";
import { logIn } from "../../src/challenge/api/log-in.ts";
import { loadResult } from "../../src/challenge/api/result.ts";
import { loadVideos } from "../../src/challenge/api/videos.ts";
import { loadStateFile } from "../../src/challenge/state-file.ts";
import { type ApiAnswer, type ApiCall, makeToken, useScriptedApi } from "../support/scripted-api.ts";

const api = useScriptedApi();
const TOKEN = makeToken("ann");
const QUOTA = { limit: 99, used: 1, remaining: 98 };
const UUID = "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b";
const wish = { name: "a job", board: "instruction", modelName: "model" };

/** A contestant who is logged in to a server that answers so. */
async function open(answer: object | ((call: ApiCall) => object), env: Record<string, string> = {}) {
  const server = await api.serve(
    (call) => (typeof answer === "function" ? answer(call) : answer) as ApiAnswer,
  );
  return { server, session: api.open({ baseUrl: server.url, env: { CHALLENGE_TOKEN: TOKEN, ...env } }) };
}

describe("the reply to a submission", () => {
  const JOB = { id: 7, uuid: UUID, parallelism: 2, tunnel_endpoint: "ws://h/t", job_token: "job-1" };
  const READ = { id: 7, uuid: UUID, parallelism: 2, tunnelEndpoint: "ws://h/t", jobToken: "job-1" };

  it.each([
    [{ id: "7" }, {}],
    [{ uuid: undefined, job_uuid: UUID }, {}],
    [{ parallelism: "2" }, {}],
    [{ parallelism: 0 }, { parallelism: 0 }],
    [{ parallelism: undefined }, { parallelism: null }],
    [{ parallelism: -1 }, { parallelism: null }],
    [{ parallelism: 1.5 }, { parallelism: null }],
    [{ tunnel_endpoint: " ws://h/t\n" }, {}],
    [{ tunnel_endpoint: "  " }, { tunnelEndpoint: null }],
    [{ tunnel_endpoint: "http://h/t" }, { tunnelEndpoint: null }],
    [{ tunnel_endpoint: { url: "ws://h/t" } }, { tunnelEndpoint: null }],
    [{ job_token: undefined }, { jobToken: null }],
    [{ job_token: "null" }, { jobToken: null }],
    [{ job_token: "job-1\nX: y" }, { jobToken: null }],
    [{ job_token: 5 }, { jobToken: null }],
  ])("may have %j and keeps all else", async (drift, read) => {
    const { session } = await open({ body: { ...JOB, ...drift } });
    expect(await submitJob(session, wish)).toEqual({ ...READ, ...read });
  });

  it("that says See Other may be that of a job that was taken", async () => {
    const { session, server } = await open({ status: 303, headers: { location: "job/7" }, body: "" });
    await expect(submitJob(session, wish)).rejects.toMatchObject({ code: "challenge_reply_lost" });
    expect(server.calls).toHaveLength(1);
  });

  it.each([301, 302, 307, 308])(
    "that sends it elsewhere with %i is a job that was not taken",
    async (status) => {
      const { session, server } = await open({ status, headers: { location: "job2" }, body: "" });
      await expect(submitJob(session, wish)).rejects.toMatchObject({ code: "challenge_redirected" });
      expect(server.calls).toHaveLength(1);
    },
  );
});

describe("a list of jobs", () => {
  const makeJob = (id: number) => ({ id, job_uuid: `u-${id}`, name: "a job", status: 0 });
  /** 45 jobs, never more than 20 of them a page, whatever is asked for. */
  const serve =
    (counts: object) =>
    ({ path }: ApiCall): ApiAnswer => {
      const page = Number(new URLSearchParams(path.split("?")[1]).get("page"));
      const all = Array.from({ length: 45 }, (_, index) => makeJob(45 - index));
      return { body: { items: all.slice((page - 1) * 20, page * 20), page, ...counts } };
    };

  it.each([{ total: 45, total_pages: 1 }, { total: 45 }, {}, { total_pages: 3 }])(
    "whose pages are smaller than was asked for is read to its end as it counts %j",
    async (counts) => {
      const { session } = await open(serve(counts));
      expect(await findJob(session, "u-3")).toMatchObject({ id: 3, uuid: "u-3" });
      expect(await findJob(session, 99)).toBe(null);
    },
  );

  it("with its jobs under another name is a fault, and not an empty one", async () => {
    const { session } = await open({ body: { jobs: [makeJob(1)], total: 1 } });
    await expect(listJobs(session)).rejects.toMatchObject({ code: "challenge_reply_wrong" });
  });

  it("and a leaderboard are asked for in both spellings of their size", async () => {
    const { session, server } = await open({ body: { items: [], total: 0 } });
    await listJobs(session, { perPage: 7 });
    await loadLeaderboard(session, { board: "manip", perPage: 7 });
    for (const { path } of server.calls) expect(path).toMatch(/per-page=7.*per_page=7/);
  });
});

describe("a reply", () => {
  it.each([
    ["begins with a mark of byte order", { body: `\ufeff${JSON.stringify(QUOTA)}` }],
    [
      "says that it is a page, and sets a cookie",
      { body: QUOTA, headers: { "content-type": "text/html", "set-cookie": "a=b" } },
    ],
    ["comes with 201", { status: 201, body: QUOTA }],
  ])("that %s is read as any other", async (_, answer) => {
    const { session } = await open(answer);
    expect(await loadQuota(session)).toEqual(QUOTA);
  });

  it.each([
    ["nested deeply", `{"tasks":{},"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, /nested too deep/],
    ["nothing, with 204", "", /nothing where JSON/],
    ["one word of 7 MiB", "x".repeat(7 * 2 ** 20), /no JSON/],
    ["7 MiB of names of tokens", `"${"token".repeat(1.4 * 2 ** 20)}`, /breaks off/],
  ])("that is %s is told at once", async (_, body, message) => {
    const { session } = await open({ status: body === "" ? 204 : 200, body });
    const fault = { code: "challenge_reply_unreadable", message: expect.stringMatching(message) };
    await expect(loadResult(session, 7)).rejects.toMatchObject(fault);
    await expect(loadLog(session, 7)).rejects.toMatchObject(fault);
  });

  it("of 429 is no refusal: it may be asked again", async () => {
    const { session, server } = await open({
      status: 429,
      headers: { "retry-after": "1" },
      body: { error: "slow" },
    });
    const busy = {
      code: "challenge_busy",
      exit: 5,
      retryable: true,
      message: expect.stringContaining("slow"),
    };
    await expect(loadQuota(session)).rejects.toMatchObject(busy);
    await expect(submitJob(session, wish)).rejects.toMatchObject(busy);
    expect(server.calls).toHaveLength(2);
  });

  it.each([
    [0, "ready"],
    ["1", "past"],
    [2, "unfinished"],
  ])("about videos of status %j says that they are %s", async (status, state) => {
    const { session } = await open({ body: { job_id: 7, status, expires_in: 0, episodes: null } });
    expect(await loadVideos(session, 7)).toMatchObject({ state, episodes: [] });
  });
});

describe("a redirect", () => {
  it("to the same server with a user in the address is not followed, and the user is not shown", async () => {
    const { session, server } = await open(({ path }) => ({
      ...{ status: 302, body: "" },
      headers: { location: `http://ann:sentinel@127.0.0.1:${server.port}/${path}` },
    }));
    const asked = loadQuota(session);
    await expect(asked).rejects.toMatchObject({ code: "challenge_redirected" });
    await expect(asked).rejects.not.toThrow("sentinel");
    expect(server.calls).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])("with %i takes no password anywhere", async (status) => {
    const other = await api.serve(() => ({ body: { status: "ok", token: TOKEN } }));
    const { session } = await open({
      status,
      headers: { location: `${other.url}/api/challenge/login` },
      body: "",
    });
    for (const method of ["post", "get"] as const)
      await expect(logIn(session, { email: "ann", password: "sentinel", method })).rejects.toMatchObject({
        code: "challenge_redirected",
        message: expect.not.stringContaining("sentinel"),
      });
    expect(other.calls).toEqual([]);
  });
});

describe("a secret that a server repeats is not shown", () => {
  const PASSWORD = `sen tinel"\\'é`;
  const word = ({ body }: ApiCall) => (JSON.parse(body) as { password: string }).password;

  it.each<[string, (call: ApiCall) => ApiAnswer]>([
    ["a refusal with 200", (call) => ({ body: { status: "error", error: `no ${word(call)}` } })],
    ["a reply of another shape", (call) => ({ body: [{ password: word(call) }] })],
    ["the request as it was", ({ body }) => ({ status: 400, body: `<p>${body}` })],
    ["the place where a text is cut", ({ body }) => ({ status: 500, body: `${"x".repeat(118)}${body}` })],
  ])("a password, in %s", async (_, answer) => {
    const { session } = await open(answer);
    const login = logIn(session, { email: "ann", password: PASSWORD });
    await expect(login).rejects.not.toThrow(/sen.tinel/);
    await expect(login).rejects.toThrow("…");
  });

  it("a password, in the query of a login by GET", async () => {
    const { session } = await open(({ path }) => ({ status: 400, body: { error: path } }));
    const login = logIn(session, { email: "ann", password: PASSWORD, method: "get" });
    await expect(login).rejects.not.toThrow(/sen.{1,3}tinel/);
  });

  it("a token, where a text is cut, and as a name", async () => {
    const { session } = await open(({ path, token }) =>
      path === "current-user-info"
        ? { body: { name: `Bearer ${token}` } }
        : { status: 400, body: `<p>${"x".repeat(100)}${token}` },
    );
    await expect(loadQuota(session)).rejects.not.toThrow(TOKEN.slice(0, 20));
    expect(await loadUser(session)).toMatchObject({ name: "Bearer …" });
  });
});

describe("a login token", () => {
  it("of a job is never sent to the API", async () => {
    const { session, server } = await open({ body: QUOTA }, { JOB_TOKEN: makeToken("job"), JOB_UUID: UUID });
    await loadQuota(session);
    expect(server.calls.map(({ token }) => token)).toEqual([TOKEN]);
  });

  it("that lives shorter than what counts as soon is not renewed with every call", async () => {
    const server = await api.serve(({ path }) =>
      path === "login/refresh" ? { body: { token: makeToken("next", 60) } } : { body: QUOTA },
    );
    api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${makeToken("first", 60)}'\n`);
    const session = api.open();
    for (let time = 0; time < 3; time += 1) await loadQuota(session);
    expect(server.count("login/refresh")).toBe(1);
  });

  it("is saved with the address that gave it", async () => {
    const { session, server } = await open(({ path, token }) => {
      if (path === "login/refresh") return { body: { token: makeToken("new") } };
      return token === TOKEN ? { status: 401, body: "" } : { body: QUOTA };
    });
    await loadQuota(session);
    expect(loadStateFile({ HOME: api.home() }).values).toMatchObject({
      ...{ BASE_URL: server.url, CHALLENGE_TOKEN: makeToken("new") },
    });
  });
});
