import { describe, expect, it } from "vitest";
import { loadQuota } from "../../src/challenge/api/account.ts";
import { findJobsByName, submitJob } from "../../src/challenge/api/jobs.ts";
import { logIn } from "../../src/challenge/api/log-in.ts";
import { openSession } from "../../src/challenge/api/session.ts";
import { PASSWORD, useChallenge } from "../support/challenge.ts";
import { type ApiAnswer, makeToken, useScriptedApi } from "../support/scripted-api.ts";

const challenge = useChallenge();
const api = useScriptedApi();
const wish = { name: "a job", board: "instruction", modelName: "model" };
const JOB = { id: 7, uuid: "u-7", parallelism: 2, tunnel_endpoint: "" };

async function open(answer: ApiAnswer) {
  const server = await api.serve(() => answer);
  const env = { CHALLENGE_TOKEN: makeToken("ann") };
  return { server, session: api.open({ baseUrl: server.url, env, timers: { requestMs: 200 } }) };
}

describe("T40 a job whose reply is lost", () => {
  const losses: [string, ApiAnswer][] = [
    ["cut before it came", (response) => response.destroy()],
    ["cut in its middle", { body: '{"id":7,"uu' }],
    ["one that never comes", () => undefined],
    ["a page of a proxy", { status: 502, body: "<html>Bad Gateway</html>" }],
    ["a fault", { status: 500, body: { status: "error", error: "database" } }],
    ["a web page with 200", { body: "<html>hello</html>" }],
    ["one without the job's uuid", { body: { ...JOB, uuid: null } }],
  ];
  it.each(losses)("as the reply is %s is sent once, and what to do is said", async (_, answer) => {
    const { session, server } = await open(answer);
    await expect(submitJob(session, wish)).rejects.toMatchObject({
      code: "challenge_reply_lost",
      hint: expect.stringMatching(/^Do not send it again.*sortie challenge jobs/),
    });
    expect(server.calls).toHaveLength(1);
  });

  it("to a gateway that took it is found by its name, and one submission is used", async () => {
    const gateway = await challenge.host();
    await challenge.addUser();
    let posts = 0;
    const lossy = await api.serve((call) => async (response) => {
      posts += call.path === "job" ? 1 : 0;
      const reply = await fetch(`${gateway.apiUrl}/api/challenge/${call.path}`, {
        method: call.method,
        headers: { authorization: `Bearer ${call.token}`, "content-type": "application/json" },
        ...(call.body === "" ? {} : { body: call.body }),
      });
      const text = await reply.text();
      if (call.path === "job") response.destroy();
      else response.writeHead(reply.status).end(text);
    });
    const session = openSession({ baseUrl: lossy.url, env: { HOME: api.home() } });
    await logIn(session, { email: "ann@example.org", password: PASSWORD });
    await expect(submitJob(session, wish)).rejects.toMatchObject({ code: "challenge_reply_lost" });
    expect(await findJobsByName(session, "a job")).toMatchObject([{ name: "a job", board: "instruction" }]);
    expect((await loadQuota(session)).used).toBe(1);
    expect(posts).toBe(1);
  });
});

describe("a job that surely was not taken", () => {
  it("for want of a connection is told as that", async () => {
    const { session, server } = await open({ body: JOB });
    await server.stop();
    await expect(submitJob(session, wish)).rejects.toMatchObject({ code: "challenge_away" });
  });

  it.each(["invalid board", "upload limit", "paper_link too long"])("for %j is told so", async (error) => {
    const { session, server } = await open({ status: 400, body: { status: "error", error } });
    await expect(submitJob(session, wish)).rejects.toMatchObject({
      code: "challenge_refused",
      message: expect.stringContaining(`400: ${error}`),
    });
    expect(server.calls).toHaveLength(1);
  });

  it("as its login was over is sent again with the new token", async () => {
    const server = await api.serve(({ path, token }) => {
      if (path === "login/refresh") return { body: { token: NEW } };
      return token === NEW ? { body: JOB } : { status: 401, body: { error: "over" } };
    });
    const NEW = makeToken("new");
    const session = api.open({ baseUrl: server.url, env: { CHALLENGE_TOKEN: makeToken("old") } });
    expect(await submitJob(session, wish)).toMatchObject({ id: 7 });
    expect(server.calls.map(({ path }) => path)).toEqual(["job", "login/refresh", "job"]);
  });

  it("as the caller had given up before is not sent", async () => {
    const { session, server } = await open({ body: JOB });
    await expect(submitJob(session, wish, AbortSignal.abort())).rejects.toMatchObject({
      code: "interrupted",
    });
    expect(server.calls).toEqual([]);
  });
});

it("a job is sent with what was given of it, and read with what was told", async () => {
  const { session, server } = await open({ body: JOB });
  expect(await submitJob(session, { ...wish, description: "", paperLink: "https://h/p" })).toEqual({
    ...{ id: 7, uuid: "u-7", parallelism: 2, tunnelEndpoint: null, jobToken: null },
  });
  expect(JSON.parse(server.calls[0]?.body ?? "")).toEqual({
    name: "a job",
    config: { board: "instruction", model_name: "model", paper_link: "https://h/p" },
  });
});
