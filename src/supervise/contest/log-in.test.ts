import { readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startApiProxy } from "../../../test/support/api-proxy.ts";
import { startApiStage } from "../../../test/support/api-stage.ts";
import { openContestStage } from "../../../test/support/contest-stage.ts";
import { makeToken } from "../../../test/support/scripted-api.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { loadStateFile } from "../../challenge/state-file.ts";
import { keepBaseUrl } from "./keep-base-url.ts";
import { loadBoards } from "./load-boards.ts";
import { logInAndKeep, refreshAndKeep } from "./log-in.ts";

const folder = useTempFolder();
const WISH = { email: "ann@example.org", password: "sentinel-password" };

/** A challenge whose login answers as a test says, and a contestant of it. */
async function startStage(state = "", env: Record<string, string> = {}) {
  const stage = await startApiStage(folder());
  const { token } = await stage.addUser();
  const proxy = await startApiProxy(`http://127.0.0.1:${stage.port}`);
  proxy.script.answers = (call) =>
    call === "POST /api/challenge/login" ? { body: { status: "ok", token } } : undefined;
  const person = openContestStage(folder(), { baseUrl: proxy.url, state, env });
  const readVariables = () => loadStateFile(person.env).values;
  return { token, proxy, readVariables, ...person };
}

describe("a login", () => {
  it("is kept with the address that it is of, for its person alone", async () => {
    const old = "BASE_URL='http://127.0.0.1:9'\nJOB_UUID='u'\n# mine\n";
    const { open, token, proxy, readVariables, statePath } = await startStage(old);
    const kept = await logInAndKeep(open(), WISH);
    expect(kept).toMatchObject({ baseUrl: proxy.url, user: "Ann", path: statePath });
    expect(kept.said.join()).toMatch(
      /the current job in .* is of http:\/\/127.0.0.1:9: sortie challenge reset/,
    );
    expect(readVariables()).toEqual({ BASE_URL: proxy.url, CHALLENGE_TOKEN: token, JOB_UUID: "u" });
    expect(statSync(statePath).mode & 0o777).toBe(0o600);
    expect(readFileSync(statePath, "utf8")).toContain("# mine\n");
    expect(readFileSync(statePath, "utf8")).not.toContain(WISH.password);
  });

  it.each([null, "null", "a.b", ""])(
    "that gives the token %j is none, and keeps the one of before",
    async (token) => {
      const { open, proxy, readVariables } = await startStage("CHALLENGE_TOKEN='a.b.c'\n");
      proxy.script.answers = () => ({ body: { status: "ok", token } });
      await expect(logInAndKeep(open(), WISH)).rejects.toMatchObject({
        code: "challenge_login_refused",
        exit: 1,
      });
      expect(readVariables()).toEqual({ CHALLENGE_TOKEN: "a.b.c" });
    },
  );

  it("says that a variable of the environment goes before it", async () => {
    const { open } = await startStage("", { CHALLENGE_TOKEN: makeToken("other") });
    expect((await logInAndKeep(open(), WISH)).said.join()).toMatch(/unset CHALLENGE_TOKEN/);
  });

  it("is renewed, or must be done anew", async () => {
    const [first, next] = [makeToken("first"), makeToken("next")];
    const { open, proxy, readVariables } = await startStage(`CHALLENGE_TOKEN='${first}'\n`);
    proxy.script.answers = (call, shown) => {
      if (call.endsWith("/refresh")) return { body: { token: shown === first ? next : null } };
      return call.endsWith("/current-user-info") ? { body: { name: "Ann" } } : undefined;
    };
    expect(await refreshAndKeep(open())).toMatchObject({ user: "Ann" });
    expect(readVariables().CHALLENGE_TOKEN).toBe(next);
    await expect(refreshAndKeep(open())).rejects.toMatchObject({ code: "challenge_login_needed", exit: 2 });
    expect(proxy.count("GET /api/challenge/login/refresh")).toBe(2);
  });
});

describe("the address that a person names", () => {
  it("is kept in the file once it has answered", async () => {
    const { open, proxy, readVariables } = await startStage();
    await loadBoards(open());
    expect(keepBaseUrl(open())).toEqual([]);
    expect(readVariables().BASE_URL).toBe(proxy.url);
  });

  it("is not kept where the file's login is of another one: it would be sent there", async () => {
    const state = `BASE_URL='http://127.0.0.1:9'\nCHALLENGE_TOKEN='${makeToken("other")}'\n`;
    const { open, readVariables, proxy } = await startStage(state);
    expect((await loadBoards(open())).map(({ own }) => own)).toEqual([null, null, null]);
    expect(keepBaseUrl(open()).join()).toMatch(/is not kept in .*, whose login is of another address/);
    expect(readVariables().BASE_URL).toBe("http://127.0.0.1:9");
    expect(proxy.tokens.filter((token) => token !== null)).toEqual([]);
  });
});
