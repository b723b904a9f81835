import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { SortieError } from "../base/error.ts";
import { DEFAULT_TUNNEL_URL } from "./addresses.ts";
import { checkJobUuid } from "./check-job-uuid.ts";
import { chooseEndpoint } from "./choose-endpoint.ts";
import { chooseToken } from "./choose-token.ts";
import { loadStateFile, type StateFile } from "./state-file.ts";

const JOB = "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b";
const OTHER = "11111111-2222-4333-8444-555555555555";
const JWT = "aaaa.bbbb.cccc";

const makeState = (values: StateFile["values"] = {}): StateFile => ({
  path: "FILE",
  values,
  unread: {},
  warnings: [],
});

function findCode(action: () => unknown): string {
  try {
    return `no fault: ${JSON.stringify(action())}`;
  } catch (fault) {
    return fault instanceof SortieError ? fault.code : String(fault);
  }
}

describe("the token of a job", () => {
  const file = makeState({ JOB_UUID: JOB, JOB_TOKEN: "job-in-file", CHALLENGE_TOKEN: "login-in-file" });
  const both = { JOB_TOKEN: "job-in-env", CHALLENGE_TOKEN: JWT };

  it.each([
    ["the one given", { given: "xyz", env: both, state: file }, "xyz", "job"],
    ["a JWT that was given", { given: JWT, env: both, state: file }, JWT, "login"],
    [
      "the variable's",
      { given: "", env: { ...both, SORTIE_ACCESS_TOKEN: "abc" }, state: file },
      "abc",
      "job",
    ],
    ["the job's of the environment", { env: both, state: file }, "job-in-env", "job"],
    ["the same, of this job", { env: { ...both, JOB_UUID: JOB }, state: file }, "job-in-env", "job"],
    ["the job's of the file", { env: { ...both, JOB_UUID: OTHER }, state: file }, "job-in-file", "job"],
    ["the file's, with nothing in the environment", { env: {}, state: file }, "job-in-file", "job"],
    [
      "the login token of the environment, where both others are of another job",
      { env: { ...both, JOB_UUID: OTHER }, state: makeState({ ...file.values, JOB_UUID: OTHER }) },
      JWT,
      "login",
    ],
    [
      "the login token of the file",
      { given: "", env: { CHALLENGE_TOKEN: "null" }, state: makeState({ CHALLENGE_TOKEN: "xyz" }) },
      "xyz",
      "login",
    ],
    ["one with a line's end behind it", { env: { JOB_TOKEN: " xyz\r\n" }, state: makeState() }, "xyz", "job"],
  ] as const)("is %s", (_, sources, token, kind) => {
    const chosen = chooseToken(JOB, sources);
    expect(chosen).toMatchObject({ token, kind });
    expect(chosen.said).not.toContain(token);
  });

  it("is said to be where it was found", () => {
    const env = { SORTIE_ACCESS_TOKEN: "abc" };
    expect(chooseToken(JOB, { env, state: file }).said).toBe("the token of SORTIE_ACCESS_TOKEN");
    expect(chooseToken(JOB, { given: "abc", env, state: file }).said).toBe("the token of --access-token");
  });

  it("is missing, or damaged, and its value is not repeated", () => {
    expect(findCode(() => chooseToken(JOB, { env: {}, state: makeState() }))).toBe("token_missing");
    const damaged = () => chooseToken(JOB, { env: { JOB_TOKEN: "sec ret\u00e9" }, state: makeState() });
    expect(findCode(damaged)).toBe("token_bad");
    expect(damaged).toThrow(/^(?!.*sec)/);
  });
});

describe("the endpoint of a job", () => {
  const state = makeState({ JOB_UUID: JOB, TUNNEL_ENDPOINT: "ws://file/t" });

  it.each([
    [
      "given",
      { given: " wss://given/t?a=1 ", env: { SIMUBOTIX_GATEWAY_URL: "ws://env/t" }, state },
      "wss://given/t?a=1",
    ],
    ["the variable's", { given: "", env: { SIMUBOTIX_GATEWAY_URL: "ws://env/t" }, state }, "ws://env/t"],
    ["the file's", { env: {}, state }, "ws://file/t"],
    [
      "the default, where the file is about another job",
      { env: {}, state: makeState({ ...state.values, JOB_UUID: OTHER }) },
      DEFAULT_TUNNEL_URL,
    ],
  ])("is %s", (_, sources, url) => {
    expect(chooseEndpoint(JOB, sources).url).toBe(url);
  });

  it.each([
    "0",
    "gateway",
    "http://h/t",
    "https://h",
    "ftp://h/",
    "ws://",
    "ws://h/#x",
    "ws://me:secret@h/",
    "ws:h",
  ])("is not %s", (given) => {
    const choose = () => chooseEndpoint(JOB, { given, env: {}, state });
    expect(findCode(choose)).toBe("gateway_url_bad");
    expect(choose).toThrow(/^(?!.*secret)/);
  });
});

describe("a job", () => {
  it.each([
    [undefined, "job_missing"],
    ["", "job_missing"],
    ["null", "job_missing"],
    ["123", "job_bad"],
    ["ws://h/t", "job_bad"],
    ["a b", "job_bad"],
  ])("is not %s", (text, code) => {
    expect(findCode(() => checkJobUuid(text))).toBe(code);
  });

  it("is a UUID", () => expect(checkJobUuid(` ${JOB}\n`)).toBe(JOB));
});

describe("the state file", () => {
  const folder = useTempFolder();
  const write = (text: string, mode = 0o600) => {
    const path = join(folder(), ".simubotix-challenge.env");
    writeFileSync(path, text);
    chmodSync(path, mode);
  };
  const load = () => loadStateFile({ HOME: folder() });

  it("is no fault when it is not there, a folder, or not to be read", () => {
    expect(load()).toMatchObject({ values: {}, warnings: [] });
    mkdirSync(join(folder(), ".simubotix-challenge.env"));
    expect(load()).toMatchObject({ values: {}, warnings: [expect.stringContaining("no file")] });
  });

  it("gives what the last line of a name says", () => {
    write("\ufeffJOB_UUID=old\n# JOB_UUID=comment\nOTHER=x\necho hello\nexport JOB_UUID='new'\nJOB_TOKEN=\n");
    expect(load()).toMatchObject({ values: { JOB_UUID: "new" }, warnings: [] });
  });

  it.each([
    ["a folder", () => mkdirSync(join(folder(), ".simubotix-challenge.env")), /no file of variables/],
    [
      "a loop",
      () => symlinkSync(".simubotix-challenge.env", join(folder(), ".simubotix-challenge.env")),
      /ELOOP/,
    ],
    ["a token that only a shell knows", () => write("JOB_TOKEN=$(cat x)\n"), /line 1: JOB_TOKEN is not read/],
    [
      "a token of another job",
      () => write(`JOB_UUID=${OTHER} JOB_TOKEN=secret\n`),
      new RegExp(`JOB_TOKEN of .* it is of the job ${OTHER}`),
    ],
    ["a token of no job", () => write("JOB_TOKEN=secret\n"), /it names no JOB_UUID/],
  ])("that gives no token because it is %s is in the error", (_, make, reason) => {
    make();
    const choose = () => chooseToken(JOB, { env: {}, state: load() });
    expect(choose).toThrow(reason);
    expect(choose).toThrow(/^(?!.*secret)/);
  });

  it.each([
    ["TUNNEL_ENDPOINT=$X\n", 1],
    ["A=1; if true; then TUNNEL_ENDPOINT=ws://h/t; fi\n", 1],
    [`TUNNEL_ENDPOINT=ws://h/t\nJOB_UUID=$(cat x)\n`, 2],
  ])("with %j never leads to the default in silence", (text, line) => {
    write(text);
    const state = load();
    expect(() => chooseEndpoint(JOB, { env: {}, state })).toThrow(`on line ${line} of`);
    expect(chooseEndpoint(JOB, { given: "ws://g/t", env: {}, state }).url).toBe("ws://g/t");
  });

  it("warns of what it does not read and of others who may read it, and repeats no value", () => {
    write('JOB_TOKEN="$SECRET"\n', 0o644);
    const { values, warnings } = load();
    expect(values).toEqual({});
    expect(warnings).toHaveLength(2);
    expect(warnings.join()).toMatch(/line 1: JOB_TOKEN/);
    expect(warnings.join()).not.toContain("SECRET");
  });
});
