import { describe, expect, it } from "vitest";
import { makeErrorDocument, toSortieError } from "../../src/base/error.ts";
import { loadQuota, loadUser } from "../../src/challenge/api/account.ts";
import { findJob, findJobsByName, listAllJobs, listJobs } from "../../src/challenge/api/jobs.ts";
import { loadTop5 } from "../../src/challenge/api/leaderboard.ts";
import { loadResult } from "../../src/challenge/api/result.ts";
import { type ApiAnswer, type ApiCall, makeToken, useScriptedApi } from "../support/scripted-api.ts";
import { waitFor } from "../support/wait-for.ts";

const api = useScriptedApi();
const TOKEN = makeToken("ann");
const QUOTA = { limit: 4, used: 1, remaining: 3 };
const UUID = "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b";

/** A contestant who is logged in to a server that answers so. */
async function open(
  answer: (call: ApiCall) => ApiAnswer,
  timers: NonNullable<Parameters<typeof api.open>[0]>["timers"] = {},
) {
  const server = await api.serve(answer);
  const options = { baseUrl: server.url, env: { CHALLENGE_TOKEN: TOKEN }, timers };
  return { server, session: api.open(options), options };
}

describe("a reply that is not what it must be", () => {
  it.each([
    ["a web page", "<!DOCTYPE html><html>log in</html>", "challenge_reply_unreadable", /a web page .*log in/],
    ["half of one", '{"limit":4,"used', "challenge_reply_unreadable", /JSON that breaks off/],
    ["nothing", "", "challenge_reply_unreadable", /nothing where JSON/],
    ["text", "hello\u001b[2J", "challenge_reply_unreadable", /no JSON.*hello\\x1b\[2J/],
    ["a list", "[]", "challenge_reply_wrong", /no object/],
    ["an object without it", '{"used":1}', "challenge_reply_wrong", /limit is no whole number/],
    ["one with the token in it", `{"used":"${TOKEN}"}`, "challenge_reply_wrong", /"used":"…"/],
    ["9 MiB of it", `"${"x".repeat(9 * 2 ** 20)}"`, "challenge_reply_unreadable", /more than 8388608 bytes/],
  ])("because it is %s is told once, with what came", async (_, body, code, message) => {
    const { session, server } = await open(() => ({ body }));
    const asked = loadQuota(session);
    await expect(asked).rejects.toMatchObject({ code, exit: 5, message: expect.stringMatching(message) });
    await expect(asked).rejects.toMatchObject({ message: expect.not.stringContaining(TOKEN) });
    expect(server.calls).toHaveLength(1);
  });

  it.each([
    `{"limit":"x","job_token":"sentinel-0","token":"${makeToken("sentinel-1")}"}`,
    `{"token":"${makeToken("sentinel-2")}`,
    makeToken("sentinel-3"),
  ])("shows no token that is in it: %j", async (body) => {
    const { session } = await open(() => ({ body }));
    const secrets = [makeToken("sentinel").slice(0, 12), "sentinel-0"];
    const fault: unknown = await loadQuota(session).catch((thrown: unknown) => thrown);
    const text = JSON.stringify([String(fault), makeErrorDocument(toSortieError(fault))]);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it("because it never ends is given up in time", async () => {
    const ends: NodeJS.Timeout[] = [];
    const trickle: ApiAnswer = (response) => {
      response.writeHead(200).write('{"limit":4,');
      ends.push(setInterval(() => response.write(" "), 10));
    };
    const { session } = await open(() => trickle, { requestMs: 150, retryTotalMs: 100 });
    await expect(loadQuota(session)).rejects.toMatchObject({
      code: "challenge_away",
      message: expect.stringContaining("did not end within 0.15 s"),
    });
    for (const end of ends) clearInterval(end);
  });
});

describe("a refusal", () => {
  it.each([400, 403, 404])("with %i is final, in the server's words", async (status) => {
    const { session, server } = await open(() => ({ status, body: { error: "no \u001b[1mthis" } }));
    await expect(loadQuota(session)).rejects.toMatchObject({
      code: "challenge_refused",
      retryable: false,
      message: expect.stringContaining(`${status}: no \\x1b[1mthis`),
    });
    expect(server.calls).toHaveLength(1);
  });

  it("that comes with 200 is one all the same", async () => {
    const { session } = await open(() => ({ body: { status: "error", error: "not today" } }));
    await expect(loadQuota(session)).rejects.toMatchObject({
      code: "challenge_refused",
      message: expect.stringContaining("not today"),
    });
  });

  it.each([
    [400, `invalid job_id: ${UUID}`],
    [500, "invalid job_id"],
  ])("T42 of a UUID with %i %j is one fault, and is not repeated", async (status, error) => {
    const { session, server } = await open(() => ({ status, body: { status: "error", error } }));
    await expect(loadResult(session, UUID as unknown as number)).rejects.toMatchObject({
      code: "challenge_job_id_wrong",
      details: { job: UUID, status },
    });
    expect(server.calls).toHaveLength(1);
  });
});

describe("trouble of the server", () => {
  it.each([500, 502, 503])(
    "with %i is asked about again, once the token has been checked",
    async (status) => {
      let left = 3;
      const { session, server } = await open(({ path }) => {
        if (path === "current-user-info") return { body: { name: "ann" } };
        left -= 1;
        return left > 0 ? { status, body: "<html>Bad Gateway</html>" } : { body: QUOTA };
      });
      expect(await loadQuota(session)).toEqual(QUOTA);
      const [quota, check] = ["submission/quota", "current-user-info"];
      expect(server.calls.map(({ path }) => path)).toEqual([quota, check, quota, quota]);
    },
  );

  it("that stays is told with its words, and may be tried again", async () => {
    const { session } = await open(() => ({ status: 502, body: "<html>Bad Gateway</html>" }), {
      retryTotalMs: 30,
    });
    await expect(loadUser(session)).rejects.toMatchObject({
      ...{ code: "challenge_fault", exit: 5, retryable: true },
      message: expect.stringContaining("502: <html>Bad Gateway"),
    });
  });

  it("that is gone for 20 s (scaled) and comes back is nothing that a caller sees", async () => {
    const { server, session } = await open(() => ({ body: QUOTA }));
    expect(await loadQuota(session)).toEqual(QUOTA);
    await server.stop();
    const asked = loadQuota(session);
    const again = new Promise((resolve) => setTimeout(resolve, 200)).then(() =>
      api.serve(() => ({ body: QUOTA }), server.port),
    );
    expect(await asked).toEqual(QUOTA);
    await again;
  });

  it("that is gone for longer is told", async () => {
    const { server, session } = await open(() => ({ body: QUOTA }), { retryTotalMs: 50 });
    await server.stop();
    await expect(loadQuota(session)).rejects.toMatchObject({
      ...{ code: "challenge_away", exit: 5, retryable: true },
      message: expect.stringMatching(/could not be asked: (?!fetch failed)/),
    });
  });

  it("is waited for only until the caller ends it", async () => {
    const { options } = await open(() => ({ status: 503, body: "" }), {
      retryTotalMs: 60_000,
      retryFirstMs: 30_000,
    });
    const end = new AbortController();
    const told: string[] = [];
    const onRetry = (text: string) => told.push(text);
    const asked = loadUser(api.open({ ...options, signal: end.signal, onRetry }));
    // A person who waits is told so at once.
    await waitFor(() => told.length > 0, { what: "a word of the wait" });
    end.abort();
    await expect(asked).rejects.toMatchObject({ code: "interrupted" });
    expect(told).toEqual([
      expect.stringMatching(/current-user-info answered 503: asked again for 1 min 00 s at most/),
    ]);
  });
});

describe("a redirect", () => {
  it("to another server is not followed, and the token does not go there", async () => {
    const other = await api.serve(() => ({ body: QUOTA }));
    const { session } = await open(() => ({
      status: 307,
      headers: { location: `${other.url}/x?a=1` },
      body: "",
    }));
    for (const ask of [loadQuota, loadTop5])
      await expect(ask(session)).rejects.toMatchObject({
        code: "challenge_redirected",
        message: expect.stringContaining(`${other.url}/x, which is another server`),
        hint: expect.stringContaining("--base-url"),
      });
    await expect(session.post("job", {}, { read: () => 1 })).rejects.toMatchObject({
      code: "challenge_redirected",
    });
    expect(other.calls).toEqual([]);
  });

  it("on the same server is followed, but not for ever, and not by a POST", async () => {
    const { session, server } = await open(({ path }) => {
      const location = path === "submission/quota" ? "/api/challenge/moved" : "again";
      if (path === "moved") return { body: QUOTA };
      return { status: 302, headers: { location }, body: "" };
    });
    expect(await loadQuota(session)).toEqual(QUOTA);
    expect(server.calls[1]).toMatchObject({ path: "moved", token: TOKEN });
    await expect(loadUser(session)).rejects.toMatchObject({ code: "challenge_redirected" });
    await expect(session.post("job", {}, { read: () => 1 })).rejects.toMatchObject({
      code: "challenge_redirected",
    });
    expect(server.count("job")).toBe(1);
  });
});

describe("a list of jobs", () => {
  const makeJob = (id: number) => ({ id, uuid: `u-${id}`, name: `job ${id % 2}`, status: 0 });
  const readPage = ({ path }: ApiCall) => Number(new URLSearchParams(path.split("?")[1]).get("page"));

  it("shows a job once that comes twice, and one after another page moved it", async () => {
    const pages = [[5, 5, 4], [4, 3], []];
    const { session } = await open((call) => ({
      body: { items: pages[readPage(call) - 1]?.map(makeJob) ?? [], total: 5, total_pages: 3 },
    }));
    expect((await listJobs(session)).items.map(({ id }) => id)).toEqual([5, 4]);
    expect((await listAllJobs(session)).map(({ id }) => id)).toEqual([5, 4, 3]);
    expect((await findJob(session, "u-3"))?.id).toBe(3);
    expect((await findJobsByName(session, "job 1")).map(({ id }) => id)).toEqual([5, 3]);
  });

  it("with an end that never comes is ended here", async () => {
    const { session, server } = await open((call) => {
      const first = readPage(call) * 100;
      const items = Array.from({ length: 100 }, (_, index) => makeJob(first + index));
      return { body: { items, total: 1e9, total_pages: 1e7 } };
    });
    expect(await findJob(session, "none")).toBe(null);
    expect(server.calls).toHaveLength(200);
  });

  it("with the same page for ever is ended at once", async () => {
    const { session, server } = await open(() => ({
      body: { items: [makeJob(1)], total: 9, total_pages: 9 },
    }));
    expect(await listAllJobs(session)).toHaveLength(1);
    expect(server.calls).toHaveLength(2);
  });

  it.each([{ items: null }, {}])("may be %j", async (body) => {
    const { session } = await open(() => ({ body }));
    expect(await listJobs(session)).toEqual({ items: [], total: 0, page: 1, totalPages: 0 });
  });

  it.each([{ items: {} }, { items: [1] }, { items: [{ name: "x" }] }])("is none as %j", async (body) => {
    const { session } = await open(() => ({ body }));
    await expect(listJobs(session)).rejects.toMatchObject({ code: "challenge_reply_wrong" });
  });
});

it("a proxy of the environment is not used", async () => {
  const proxy = await api.serve(() => ({ body: QUOTA }));
  const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
  for (const name of names) process.env[name] = name === "NODE_USE_ENV_PROXY" ? "1" : proxy.url;
  try {
    const { session } = await open(() => ({ body: QUOTA }));
    expect(await loadQuota(session)).toEqual(QUOTA);
    expect(proxy.calls).toEqual([]);
  } finally {
    for (const name of names) delete process.env[name];
  }
});
