import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { logIn, useChallenge } from "../../../test/support/challenge.ts";
import { type ApiAnswer, type ApiCall, useScriptedApi } from "../../../test/support/scripted-api.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { examineContest } from "./examine-contest.ts";

const temp = useTempFolder();
const challenge = useChallenge();
const api = useScriptedApi();
const uuid = "5f0c8f6e-2f0e-4d59-9f0a-0d8c6d1f7a11";
const sentinel = makeToken({ sub: "sentinel-3f9a", exp: 4_000_000_000 });
const stale = makeToken({ sub: "stale-77aa", exp: 1_000_000_000 });

type Answers = Record<string, (call: ApiCall) => ApiAnswer>;

/** Answers by the path of a call without its query; what it has no answer for is a 404. */
function startApi(answers: Answers) {
  const unknown = { status: 404, body: { status: "error", error: "no such call" } };
  return api.serve((call) => answers[call.path.split("?")[0] ?? ""]?.(call) ?? unknown);
}

function makeToken(claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  return `${encode({ alg: "HS256" })}.${encode(claims)}.c2lnbmF0dXJl`;
}

function writeState(values: Record<string, string>, mode = 0o600): string {
  const path = join(temp(), ".simubotix-challenge.env");
  writeFileSync(
    path,
    Object.entries(values)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(""),
  );
  chmodSync(path, mode);
  return path;
}

async function examine(env: Record<string, string> = {}, wanted?: string) {
  const own = { HOME: temp(), SORTIE_HOME: join(temp(), "sortie"), ...env };
  const { signal } = new AbortController();
  const { job, findings } = await examineContest({ env: own, self: ["sortie"], wanted, signal });
  const text = JSON.stringify(findings);
  for (const secret of [sentinel, stale]) expect(text).not.toContain(secret.split(".")[1]);
  const find = (code: string) => findings.find((finding) => finding.code === code);
  const wrong = findings.filter(({ level }) => level !== "ok").map(({ code }) => code);
  return { job, findings, codes: findings.map(({ code }) => code), wrong, find, text };
}

describe("at the real gateway", () => {
  async function stage(values = {}) {
    const { apiUrl, ...gateway } = await challenge.host(values);
    await challenge.addUser();
    const ann = await logIn(apiUrl);
    const job = await ann.submit();
    const state = {
      ...{ BASE_URL: apiUrl, CHALLENGE_TOKEN: ann.token, JOB_ID: String(job.id), JOB_UUID: job.uuid },
      ...{
        JOB_TOKEN: job.job_token,
        PARALLELISM: String(job.parallelism),
        TUNNEL_ENDPOINT: job.tunnel_endpoint,
      },
    };
    writeState(state);
    return { ...gateway, apiUrl, ann, job, state };
  }

  it.each(["sortie", "old", "new", "field"])("job without an agent: %s", async (behaviour) => {
    const { job } = await stage({ behaviour });
    const found = await examine();
    expect(found.job).toEqual({ id: job.id, uuid: job.uuid, name: "a job", state: "waiting_for_agent" });
    expect(found.wrong).toEqual(["job_pending"]);
    expect(found.find("job_pending")?.next).toContain(`sortie agents launch --job-uuid ${job.uuid}`);
    for (const wanted of [String(job.id), job.uuid, "a j"])
      expect((await examine({}, wanted)).job?.uuid).toBe(job.uuid);
  });

  it("names a stale CHALLENGE_TOKEN that stands before a good one", async () => {
    await stage();
    const found = await examine({ CHALLENGE_TOKEN: stale });
    expect(found.wrong).toEqual(["login_stale_environment", "job_pending"]);
    expect(found.find("login_stale_environment")?.evidence).toContain("401");
  });

  it("tells a token that was refused from one that has expired", async () => {
    const { state } = await stage();
    writeState({ ...state, CHALLENGE_TOKEN: stale });
    expect((await examine()).find("login_expired")?.evidence).toContain("2001-09-09");
    writeState({ ...state, CHALLENGE_TOKEN: sentinel });
    expect((await examine()).find("login_refused")?.next).toContain("sortie challenge login");
  });

  it("does not find the job of another account", async () => {
    const { state, apiUrl } = await stage();
    await challenge.addUser("bob@example.org");
    const bob = await logIn(apiUrl, "bob@example.org");
    writeState({ ...state, CHALLENGE_TOKEN: bob.token });
    expect((await examine()).wrong).toContain("job_not_found");
  });

  it("shows a login to no address but its own", async () => {
    await stage();
    const other = await startApi({ "leaderboard/top5": () => ({ body: { boards: {} } }) });
    const found = await examine({ SORTIE_CHALLENGE_URL: other.url });
    expect(found.wrong).toContain("login_elsewhere");
    expect(other.calls.map(({ token }) => token)).toEqual(other.calls.map(() => undefined));
  });
});

describe("at a scripted challenge", () => {
  const user = { name: "ann", max_concurrent_cases: 4 };
  const makeJob = (change: object) => ({ id: 12, uuid, name: "night", status: 1, parallelism: 4, ...change });

  /** Whose only job is as given, and which takes the sentinel alone. */
  async function stage(job: object, more: Answers = {}) {
    const guard = (body: object) => (call: ApiCall) =>
      call.token === sentinel
        ? { body }
        : { status: 401, body: { status: "error", error: `bad token ${call.token}` } };
    const server = await startApi({
      "current-user-info": guard(user),
      jobs: guard({ items: [makeJob(job)], total: 1, page: 1, per_page: 100, total_pages: 1 }),
      "job/12/result": guard({ tasks: {}, total: 0 }),
      "tunnel/endpoint": guard({ tunnel_endpoint: "" }),
      ...more,
    });
    const state = { BASE_URL: server.url, CHALLENGE_TOKEN: sentinel, JOB_UUID: uuid, JOB_ID: "12" };
    writeState(state);
    return { ...server, state };
  }

  it.each([
    ["queued", { detailed_status: "queued" }, "job_queued"],
    ["inference_disconnected", { detailed_status: "inference_disconnected" }, "job_agents_lost"],
    ["parallelism 0", { status: 0, detailed_status: "pending", parallelism: 0 }, "parallelism_zero"],
    ["a job that is over", { status: 2, detailed_status: "completed" }, "job_done"],
    ["a status that is new", { status: 17, detailed_status: "pondering" }, "job_status_unknown"],
  ])("%s", async (_, job, code) => {
    await stage(job);
    const found = await examine();
    expect(found.codes).toContain(code);
    expect(found.codes).toContain("endpoint_empty");
  });

  it("tells why a job failed", async () => {
    const log = { status: 1, failure_reason: 9, result: { error: "reconnect window expired" } };
    await stage({ status: 4, detailed_status: "failed" }, { "job/12/log": () => ({ body: log }) });
    expect((await examine()).find("job_failed")?.evidence).toMatch(/tunnel/i);
  });

  it("names the endpoint that the challenge names by now, and one where nobody is", async () => {
    const { state } = await stage(
      { detailed_status: "evaluating" },
      { "tunnel/endpoint": () => ({ body: { tunnel_endpoint: "ws://127.0.0.1:9/tunnel" } }) },
    );
    expect((await examine()).find("endpoint_not_kept")?.next).toContain(
      "--gateway-url ws://127.0.0.1:9/tunnel",
    );
    writeState({ ...state, TUNNEL_ENDPOINT: "ws://127.0.0.1:1/tunnel" });
    expect((await examine()).wrong).toEqual(["endpoint_differs", "endpoint_unreachable"]);
    writeState({ ...state, TUNNEL_ENDPOINT: "http://127.0.0.1:1/tunnel" });
    expect((await examine()).wrong).toEqual(["endpoint_bad"]);
  });

  it("measures a clock that is an hour off by the reply, and trusts the challenge's", async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    await stage({}, { "current-user-info": () => ({ status: 200, body: user, headers: { date } }) });
    const found = await examine();
    expect(found.find("clock_off")?.evidence).toMatch(/(59 min|1 h 00 min).* behind/);
    expect(found.codes).toContain("login_good");
  });

  it.each([
    ["a web page", { status: 200, body: "<html>hello</html>" }, "gateway_odd", "a web page"],
    ["JSON that breaks off", { status: 200, body: '{"name": "an' }, "gateway_odd", "breaks off"],
    ["busy", { status: 429, body: { status: "error", error: "slow" } }, "gateway_trouble", "slow"],
    ["trouble", { status: 500, body: { status: "error", error: "no rows" } }, "gateway_trouble", "no rows"],
  ])("says what answers: %s", async (_, answer, code, words) => {
    await stage({}, { "current-user-info": () => answer });
    const found = await examine();
    expect(found.find(code)?.evidence).toContain(words);
    expect(found.job).toBeNull();
  });

  it("carries no token to where a redirect leads", async () => {
    const other = await startApi({});
    const headers = { location: `${other.url}/api/challenge/current-user-info` };
    await stage({}, { "current-user-info": () => ({ status: 302, body: "", headers }) });
    expect((await examine()).wrong).toContain("gateway_odd");
    expect(other.calls).toEqual([]);
  });

  it("repeats no token that the challenge repeats", async () => {
    await stage({});
    const { find } = await examine({ CHALLENGE_TOKEN: stale });
    expect(find("login_stale_environment")?.evidence).toContain("bad token");
  });

  it("tells of a state file that is open, and of a line that cannot be read, and leaves both", async () => {
    const { state } = await stage({ detailed_status: "evaluating" });
    const path = writeState(state, 0o644);
    writeFileSync(path, `${readFileSync(path, "utf8")}TUNNEL_ENDPOINT=$(cat endpoint)\n`);
    const found = await examine();
    expect(found.wrong).toEqual(["state_file_open", "state_file_broken", "endpoint_bad"]);
    expect(readFileSync(path, "utf8")).toContain("$(cat endpoint)");
  });
});

describe("where little is there", () => {
  it("nothing at all: each thing is told with its next command", async () => {
    const found = await examine({ SORTIE_CHALLENGE_URL: "http://127.0.0.1:1" });
    expect(found.wrong).toEqual(["gateway_away", "login_missing", "job_unnamed"]);
    for (const { next } of found.findings) expect(next).toContain("sortie ");
  });

  it("the gateway away: what is here is examined all the same", async () => {
    writeState({
      BASE_URL: "http://127.0.0.1:1",
      CHALLENGE_TOKEN: stale,
      JOB_UUID: uuid,
      TUNNEL_ENDPOINT: "ws://127.0.0.1:1/",
    });
    const found = await examine({ JOB_UUID: "another" });
    expect(found.wrong).toEqual(
      expect.arrayContaining(["gateway_away", "login_maybe_expired", "job_other_in_environment"]),
    );
  });

  it("an address that is none: the rest is examined all the same", async () => {
    writeState({ BASE_URL: "robocoliseum", CHALLENGE_TOKEN: stale, JOB_UUID: uuid });
    const found = await examine();
    expect(found.find("gateway_odd")?.evidence).toContain("robocoliseum");
    expect(found.codes).toContain("endpoint_empty");
  });

  it("a database that is damaged: the agents cannot be looked at, all else can", async () => {
    mkdirSync(join(temp(), "sortie"), { mode: 0o700 });
    writeFileSync(join(temp(), "sortie", "sortie.db"), "this is no database ".repeat(400));
    const found = await examine({ SORTIE_CHALLENGE_URL: "http://127.0.0.1:1", JOB_UUID: uuid });
    expect(found.wrong).toEqual(expect.arrayContaining(["gateway_away", "agents_unseen"]));
  });

  it("a state file that is a folder, and a token that is null", async () => {
    mkdirSync(join(temp(), ".simubotix-challenge.env"));
    const found = await examine({ SORTIE_CHALLENGE_URL: "http://127.0.0.1:1", CHALLENGE_TOKEN: "null" });
    expect(found.wrong).toEqual(expect.arrayContaining(["state_file_unreadable", "login_void"]));
  });
});
