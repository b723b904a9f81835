import { describe, expect, test } from "vitest";
import { startApiStage } from "../../../../test/support/api-stage.ts";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import { makeLoginToken } from "../../accounts/login-token.ts";
import { hashPassword } from "../../accounts/password.ts";
import type { BehaviourName } from "../../config/behaviours.ts";
import { changePassword, deleteUser } from "../../records/users.ts";

const folder = useTempFolder();
const path = "/api/challenge/login";
const email = "ann@example.org";
const password = "correct horse";
const HOUR_MS = 3_600_000;

async function startWithUser(options: Parameters<typeof startApiStage>[1] = {}) {
  const stage = await startApiStage(folder(), options);
  const user = await stage.addUser({ email, passwordHash: await hashPassword(password) });
  return { ...stage, user };
}

describe.each<[BehaviourName, boolean]>([
  ["sortie", false],
  ["old", true],
  ["new", false],
  ["field", false],
])("a login as %s has it", (behaviour, takesGet) => {
  test("by JSON gives a token that opens the other calls", async () => {
    const { call, get } = await startWithUser({ behaviour });
    const { status, body } = await call("POST", path, {
      body: { email: ` ${email.toUpperCase()} `, password },
    });
    expect([status, body.status]).toEqual([200, "ok"]);
    expect(body.token.split(".")).toHaveLength(3);
    expect((await get("/api/challenge/current-user-info", body.token)).body).toEqual({
      ...{ name: "Ann", max_concurrent_cases: 2 },
    });
  });

  test(`by GET is ${takesGet ? "taken" : "405"}`, async () => {
    const { get } = await startWithUser({ behaviour });
    const query = new URLSearchParams({ email, password });
    const { status, body, headers, text } = await get(`${path}?${query}`);
    if (takesGet) return expect([status, body.status]).toEqual([200, "ok"]);
    expect([status, body.status, headers.allow]).toEqual([405, "error", "POST"]);
    expect(text).not.toContain("horse");
  });

  test.each<[string, unknown, string, number, RegExp]>([
    ["a form", `email=${email}&password=x`, "application/x-www-form-urlencoded", 400, /JSON/],
    ["XML", "<a/>", "application/xml", 415, /Media Type/],
    ["half a document", '{"email":', "application/json", 400, /JSON/],
    ["nothing", "", "application/json", 400, /empty/],
    ["a list", [], "application/json", 400, /body: Expected object/],
    [
      "a number as the email",
      { email: 5, password },
      "application/json",
      400,
      /body, email: Expected string/,
    ],
    ["no password", { email }, "application/json", 400, /body, password: Expected required property/],
    [
      "a null character that hides the account",
      { email: `${email}\0`, password },
      "application/json",
      400,
      /null character/,
    ],
    ["another prototype", '{"__proto__":{}}', "application/json", 400, /not valid JSON/],
    ["70 kB", { email, password: "x".repeat(70_000) }, "application/json", 413, /too large/],
    [
      "a wrong password",
      { email, password: "incorrect horse" },
      "application/json",
      401,
      /^user not found or /,
    ],
    [
      "nobody's email",
      { email: "bob@example.org", password },
      "application/json",
      401,
      /^user not found or /,
    ],
  ])("with %s is refused", async (_, body, type, status, text) => {
    const { call, state } = await startWithUser({ behaviour });
    const answer = await call("POST", path, { body, headers: { "content-type": type } });
    expect([answer.status, answer.body.status, Object.keys(answer.body)]).toEqual([
      ...[status, "error", ["status", "error"]],
    ]);
    expect(answer.body.error).toMatch(text);
    expect(answer.text).not.toContain("horse");
    expect(state.faults).toEqual([]);
  });
});

describe("tries to log in", () => {
  const config = { loginsPerMinute: 3 };

  test("are counted by address", async () => {
    const { call } = await startWithUser({ config });
    const tries = ["a@b", "c@d", "e@f", email].map((one) => ({ body: { email: one, password } }));
    const answers = [];
    for (const each of tries) answers.push(await call("POST", path, each));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    expect(Number(answers[3]?.headers["retry-after"])).toBeGreaterThan(0);
    expect(answers[3]?.body.error).toMatch(/^too many tries to log in: wait \d+ s$/);
  });

  test("are counted by account, from whatever address, as the proxy tells it", async () => {
    const { call } = await startWithUser({ config: { loginsPerMinute: 1, trustProxy: true } });
    const statuses = [];
    for (let number = 1; number <= 11; number += 1) {
      const headers = { "x-forwarded-for": `127.0.0.9, 127.0.1.${number}` };
      statuses.push((await call("POST", path, { body: { email, password: "no" }, headers })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  test("cannot hide behind an address that they make up", async () => {
    const { call } = await startWithUser({ config: { ...config, trustProxy: true } });
    const answers = [];
    for (const number of [1, 2, 3, 4]) {
      const headers = { "x-forwarded-for": `127.0.1.${number}, 127.0.0.9` };
      answers.push(await call("POST", path, { body: { email: `${number}@x`, password: "no" }, headers }));
    }
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
  });
});

describe("a refresh", () => {
  test("of a token that is good, or expired less than seven days ago, is a new one", async () => {
    const { get, state, user } = await startWithUser();
    for (const laterMs of [0, 13 * HOUR_MS, 7 * 24 * HOUR_MS + 11 * HOUR_MS]) {
      state.now = new Date(Date.parse("2026-11-29T12:00:00Z") + laterMs);
      const { status, body } = await get(`${path}/refresh`, user.token);
      expect(status).toBe(200);
      expect((await get("/api/challenge/submission/quota", body.token)).status).toBe(200);
    }
  });

  test.each([
    "too old",
    "of an older password",
    "of a user who was deleted",
    "of another key",
    "damaged",
    "none",
  ])("of a token that is %s is null", async (what) => {
    const { get, state, records, user, host } = await startWithUser();
    let token: string | undefined = user.token;
    if (what === "too old") state.now = new Date(state.now.getTime() + 7 * 24 * HOUR_MS + 12 * HOUR_MS);
    if (what === "of an older password") changePassword(records, user.id, "-");
    if (what === "of a user who was deleted") deleteUser(records, user.id, state.now);
    if (what === "of another key") token = await makeLoginToken(Buffer.alloc(32), user, host.clock.now());
    if (what === "damaged") token = `${user.token.slice(0, -2)}xx`;
    if (what === "none") token = undefined;
    const { status, body } = await get(`${path}/refresh`, token);
    expect([status, body]).toEqual([200, { token: null }]);
  });
});

describe("a call without a good login is 401", () => {
  test.each([
    ["none", undefined, /there is no Authorization/],
    ["an empty one", "Bearer ", /there is no Authorization/],
    ["a key of a simulator", "Api-Key abc", /there is no Authorization/],
    ["no token of ours", "Bearer a.b.c", /none of this gateway/],
    ["one without a signature", `Bearer ${makeUnsigned()}`, /none of this gateway/],
  ])("%s", async (_, authorization, text) => {
    const { call } = await startWithUser();
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { status, body } = await call("GET", "/api/challenge/current-user-info", { headers });
    expect([status, body.status]).toEqual([401, "error"]);
    expect(body.error).toMatch(text);
  });

  test("once it has expired, the password was changed, or the user was deleted", async () => {
    const { get, state, records, user } = await startWithUser();
    const ask = async () => (await get("/api/challenge/current-user-info", user.token)).body.error;
    state.now = new Date(state.now.getTime() + 12 * HOUR_MS);
    expect(await ask()).toMatch(/has expired/);
    state.now = new Date(state.now.getTime() - 12 * HOUR_MS);
    changePassword(records, user.id, "-");
    expect(await ask()).toMatch(/password was changed/);
    deleteUser(records, user.id, state.now);
    expect(await ask()).toMatch(/no such user/);
  });
});

function makeUnsigned(): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ alg: "none" })}.${encode({ sub: "1", age: 0, exp: 9_999_999_999 })}.`;
}
