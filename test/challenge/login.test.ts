import { chmodSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadQuota, loadUser } from "../../src/challenge/api/account.ts";
import { logIn } from "../../src/challenge/api/log-in.ts";
import { loadStateFile } from "../../src/challenge/state-file.ts";
import { type ApiAnswer, type ApiCall, makeToken, useScriptedApi } from "../support/scripted-api.ts";

const api = useScriptedApi();
const [OLD, NEW, OTHER] = [makeToken("old"), makeToken("new"), makeToken("other")];
const QUOTA = { limit: 4, used: 1, remaining: 3 };

/** Takes one token and gives that for any other. */
function takeOnly(good: string, refreshed: unknown = good) {
  return ({ path, token }: ApiCall): ApiAnswer => {
    if (path === "login/refresh") return { body: { token: refreshed } };
    if (token !== good) return { status: 401, body: { status: "error", error: `${token} is over` } };
    return { body: path.startsWith("current-user-info") ? { name: "ann" } : QUOTA };
  };
}

const readToken = () => loadStateFile({ HOME: api.home() }).values.CHALLENGE_TOKEN;

describe("a login token that is over", () => {
  it("T34 is refreshed once for 20 calls at a time, and the new one is saved", async () => {
    const server = await api.serve(takeOnly(NEW));
    api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${OLD}'\nFOO=1\n`);
    const session = api.open();
    const quotas = await Promise.all(Array.from({ length: 20 }, () => loadQuota(session)));
    expect(quotas).toEqual(Array(20).fill(QUOTA));
    expect(server.count("login/refresh")).toBe(1);
    expect(readToken()).toBe(NEW);
    expect(readFileSync(api.statePath(), "utf8")).toContain("\nFOO=1\n");
    expect(session.token).toBe(NEW);
  });

  it("is refreshed before it ends, once", async () => {
    const soon = makeToken("soon", 60);
    const server = await api.serve(takeOnly(NEW));
    api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${soon}'\n`);
    const session = api.open();
    await Promise.all([loadQuota(session), loadQuota(session), loadUser(session)]);
    expect(server.calls[0]).toMatchObject({ path: "login/refresh", token: soon });
    expect(server.count("login/refresh")).toBe(1);
  });

  it.each([
    ["null", null],
    ["no JWT", "nonsense"],
    ["the one that is refused again", OTHER],
  ])("needs a new login where its server gives %s, and nobody asks for ever", async (_, refreshed) => {
    const server = await api.serve(takeOnly(NEW, refreshed));
    api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${OLD}'\n`);
    const session = api.open();
    for (let time = 0; time < 3; time += 1)
      await expect(loadQuota(session)).rejects.toMatchObject({
        code: "challenge_login_needed",
        exit: 2,
        hint: expect.stringContaining("sortie challenge login"),
        message: expect.not.stringMatching(`${OLD}|${OTHER}`),
      });
    expect(server.count("login/refresh")).toBe(1);
    expect(server.count("submission/quota")).toBe(refreshed === OTHER ? 2 : 1);
  });

  it("gives way to one that another terminal saved meanwhile", async () => {
    const server = await api.serve(takeOnly(NEW, null));
    api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${OLD}'\n`);
    const session = api.open();
    await expect(loadQuota(session)).rejects.toMatchObject({ code: "challenge_login_needed" });
    api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${NEW}'\n`);
    expect(await loadQuota(session)).toEqual(QUOTA);
  });

  it("is refreshed again after hours, and also where nobody answers at first", async () => {
    const tokens = [OLD, NEW, OTHER];
    let [good, troubles] = [NEW, 2];
    const server = await api.serve((call) => {
      if (call.path !== "login/refresh") return takeOnly(good)(call);
      troubles -= 1;
      if (troubles >= 0) return { status: 503, body: "<html>away</html>" };
      return { body: { token: tokens[tokens.indexOf(call.token ?? "") + 1] ?? null } };
    });
    api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${OLD}'\n`);
    const session = api.open();
    expect(await loadQuota(session)).toEqual(QUOTA);
    good = OTHER;
    expect(await loadQuota(session)).toEqual(QUOTA);
    expect(readToken()).toBe(OTHER);
    good = "none";
    await expect(loadQuota(session)).rejects.toMatchObject({ code: "challenge_login_needed" });
    expect(server.count("login/refresh")).toBe(5);
    expect(session.notes).toEqual([]);
  });

  it("is refreshed on demand as well", async () => {
    const server = await api.serve(takeOnly(NEW));
    api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${OLD}'\n`);
    expect(await api.open().refreshToken()).toBe(NEW);
    expect(readToken()).toBe(NEW);
  });
});

describe("a token of the environment", () => {
  it("goes first; refused, it is named, and the file's is used", async () => {
    const server = await api.serve(takeOnly(NEW));
    api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${NEW}'\n`);
    const session = api.open({ env: { CHALLENGE_TOKEN: OLD } });
    expect(await loadQuota(session)).toEqual(QUOTA);
    expect(server.calls.map(({ token }) => token)).toEqual([OLD, NEW]);
    expect(session.notes).toEqual([expect.stringMatching(/^CHALLENGE_TOKEN of the environment is stale/)]);
    expect(session.notes.join()).not.toContain(OLD);
  });

  it("is refreshed where there is no other, and the new one is saved", async () => {
    const server = await api.serve(takeOnly(NEW));
    const session = api.open({ baseUrl: server.url, env: { CHALLENGE_TOKEN: OLD } });
    expect(await loadQuota(session)).toEqual(QUOTA);
    expect(readToken()).toBe(NEW);
    expect(session.notes).toEqual([expect.stringContaining("unset CHALLENGE_TOKEN")]);
  });

  it.each(["null", "", "one-part", "job.token"])("that is %j is none", async (CHALLENGE_TOKEN) => {
    const server = await api.serve(takeOnly(NEW));
    const session = api.open({ baseUrl: server.url, env: { CHALLENGE_TOKEN } });
    await expect(loadQuota(session)).rejects.toMatchObject({ code: "challenge_login_needed" });
    expect(server.calls).toEqual([]);
  });
});

it("a token of another address is not shown to this one, and not overwritten", async () => {
  const server = await api.serve(takeOnly(NEW));
  api.writeState(`BASE_URL='http://127.0.0.1:1'\nCHALLENGE_TOKEN='${OLD}'\n`);
  await expect(loadQuota(api.open({ baseUrl: server.url }))).rejects.toMatchObject({
    code: "challenge_login_needed",
    message: expect.stringContaining("is of another address"),
  });
  expect(server.calls).toEqual([]);
  const session = api.open({ baseUrl: server.url, env: { CHALLENGE_TOKEN: OTHER } });
  expect(await loadQuota(session)).toEqual(QUOTA);
  expect(readToken()).toBe(OLD);
  expect(session.notes.join()).toMatch(/is not saved: .* is about another address/);
});

it("a state file that others may read is closed to them, and that is said", async () => {
  api.writeState(`CHALLENGE_TOKEN='${OLD}'\n`);
  chmodSync(api.statePath(), 0o644);
  expect(api.open().notes).toEqual([expect.stringMatching(/was open to others .*: now it is yours alone/)]);
  expect(statSync(api.statePath()).mode & 0o777).toBe(0o600);
  expect(api.open().notes).toEqual([]);
});

it("an address without encryption is said to be one, unless it is this machine's", () => {
  expect(api.open({ baseUrl: "http://challenge.example" }).notes).toEqual([
    "http://challenge.example is no https:// address: whoever is on the way can read the login token",
  ]);
  expect(api.open({ baseUrl: "http://127.0.0.1:1" }).notes).toEqual([]);
});

describe("a clock that is an hour off", () => {
  it.each([
    ["ahead of", -3_600_000],
    ["behind", 3_600_000],
  ])("%s the server's is said, and refuses nothing", async (side, offMs) => {
    const date = new Date(Date.now() + offMs).toUTCString();
    const answer = takeOnly(OLD, null);
    const server = await api.serve((call) => ({ ...answer(call), headers: { date } }) as ApiAnswer);
    const over = makeToken("over", -60);
    for (const token of [OLD, over]) {
      api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${token}'\n`);
      const session = api.open();
      const asked = loadQuota(session);
      if (token === OLD) expect(await asked).toEqual(QUOTA);
      else await expect(asked).rejects.toMatchObject({ code: "challenge_login_needed" });
      expect(session.notes).toEqual([expect.stringMatching(`is 60 min ${side}`)]);
    }
  });

  it("may make a good token look over: it is still used", async () => {
    const over = makeToken("over", -60);
    const server = await api.serve(takeOnly(over, null));
    api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${over}'\n`);
    const session = api.open();
    expect([await loadQuota(session), await loadQuota(session)]).toEqual([QUOTA, QUOTA]);
    expect(server.count("login/refresh")).toBe(1);
  });
});

it("a server that answers 500 to a token that it does not know has it refreshed", async () => {
  const answer = takeOnly(NEW);
  const server = await api.serve((call) => {
    const isWrong = call.path.startsWith("submission") && call.token !== NEW;
    return isWrong ? { status: 500, body: { status: "error", error: "no token" } } : answer(call);
  });
  api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${OLD}'\n`);
  expect(await loadQuota(api.open())).toEqual(QUOTA);
  expect(server.calls.map(({ path }) => path)).toEqual([
    ...["submission/quota", "current-user-info", "login/refresh", "current-user-info", "submission/quota"],
  ]);
});

it("one that answers 500 to it whatever is asked is asked for a new token as well, once", async () => {
  const server = await api.serve((call) => {
    const isWrong = call.path !== "login/refresh" && call.token !== NEW;
    return isWrong ? { status: 500, body: { status: "error", error: "no token" } } : takeOnly(NEW)(call);
  });
  api.writeState(`BASE_URL='${server.url}'\nCHALLENGE_TOKEN='${OLD}'\n`);
  expect(await loadQuota(api.open())).toEqual(QUOTA);
  expect(server.calls.map(({ path }) => path)).toEqual([
    ...["submission/quota", "current-user-info", "login/refresh", "submission/quota"],
  ]);
});

describe("a login", () => {
  const credentials = { email: " ann@example.org\n", password: "pass word'" };

  it("is a POST of JSON with the blanks taken off the address, and no token goes with it", async () => {
    const server = await api.serve(() => ({ body: { status: "ok", token: NEW } }));
    const session = api.open({ baseUrl: server.url, env: { CHALLENGE_TOKEN: OLD } });
    expect(await logIn(session, credentials)).toBe(NEW);
    expect(session.token).toBe(NEW);
    const body = JSON.stringify({ email: "ann@example.org", password: "pass word'" });
    expect(server.calls).toEqual([{ method: "POST", path: "login", token: undefined, body }]);
  });

  it("is a GET only where that is asked for", async () => {
    const server = await api.serve(() => ({ body: { status: "ok", token: NEW } }));
    await logIn(api.open({ baseUrl: server.url }), { ...credentials, method: "get" });
    expect(server.calls).toMatchObject([
      { method: "GET", path: "login?email=ann%40example.org&password=pass+word%27" },
    ]);
  });

  it.each([
    [401, { status: "error", error: "wrong: pass word'" }, /401, wrong: …/],
    [405, { status: "error", error: "only GET" }, /405, only GET/],
    [200, { status: "error", error: "not today" }, /did not say ok: not today/],
    [200, { status: "ok", token: null }, /no login token/],
    [200, { status: "ok", token: "null" }, /no login token/],
    [200, { token: "a.b" }, /no login token/],
  ])("that ends with %i %j is refused in words, without the password", async (status, body, reason) => {
    const server = await api.serve(() => ({ status, body }));
    const session = api.open({ baseUrl: server.url });
    const login = logIn(session, credentials);
    await expect(login).rejects.toMatchObject({
      code: "challenge_login_refused",
      message: expect.stringMatching(reason),
    });
    await expect(login).rejects.not.toThrow("pass word");
    expect(session.token).toBe(null);
  });
});
