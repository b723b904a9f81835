import { describe, expect, it } from "vitest";
import { DEFAULT_BASE_URL } from "./addresses.ts";
import { chooseBaseUrl, findBaseUrl } from "./base-url.ts";
import type { StateFile } from "./state-file.ts";

const state = (BASE_URL?: string): StateFile => ({
  ...{ path: "FILE", unread: {}, warnings: [] },
  values: BASE_URL === undefined ? {} : { BASE_URL },
});

describe("the address of the challenge", () => {
  const named = { SORTIE_CHALLENGE_URL: "http://env" };
  it.each([
    [
      "the one given",
      { given: " https://given/ ", env: named, state: state("http://file") },
      "https://given",
    ],
    ["the variable's", { given: "", env: named, state: state("http://file") }, "http://env"],
    ["the file's", { env: {}, state: state("http://file:8080/prefix//") }, "http://file:8080/prefix"],
    ["the default", { env: { SORTIE_CHALLENGE_URL: " " }, state: state() }, DEFAULT_BASE_URL],
  ])("is %s", (_, sources, url) => expect(chooseBaseUrl(sources)).toMatchObject({ url, note: null }));

  it("is never BASE_URL of the environment, which is said where it differs", () => {
    const choose = (BASE_URL: string) => chooseBaseUrl({ env: { BASE_URL }, state: state("http://file") });
    expect(choose("http://other")).toMatchObject({
      url: "http://file",
      note: expect.stringContaining("not heeded"),
    });
    expect(choose("http://file/")).toMatchObject({ url: "http://file", note: null });
  });

  it("is not the default where the file names another in a way that only a shell can read", () => {
    const unread = { ...state(), unread: { BASE_URL: 3 } };
    expect(() => chooseBaseUrl({ env: {}, state: unread })).toThrow("BASE_URL on line 3 of FILE");
    expect(chooseBaseUrl({ given: "http://given", env: {}, state: unread }).url).toBe("http://given");
    expect(findBaseUrl({}, unread, "ws://gateway.example/t")).toBe(null);
  });

  it.each(["host", "ws://h", "http://me:secret@h", "http://h/?a=1", "http://h/#x", "http://"])(
    "is not %s",
    (given) => {
      const choose = () => chooseBaseUrl({ given, env: {}, state: state() });
      expect(choose).toThrow(/is not the address of a challenge/);
      expect(choose).toThrow(/^(?!.*secret)/);
    },
  );
});

describe("the address that an agent refreshes its login at", () => {
  it.each([
    [
      "the variable's",
      { SORTIE_CHALLENGE_URL: "http://a" },
      state("http://b"),
      "ws://127.0.0.1:1/t",
      "http://a",
    ],
    ["the file's", {}, state("http://b"), "ws://127.0.0.1:1/t", "http://b"],
    ["the default", {}, state(), "ws://gateway.example/t", DEFAULT_BASE_URL],
    ["none for a gateway on this machine", { BASE_URL: "http://c" }, state(), "ws://[::1]:1/t", null],
    ["none for another one on this machine", {}, state(), "ws://localhost/t", null],
  ])("is %s", (_, env, file, tunnelUrl, base) => {
    expect(findBaseUrl(env, file, tunnelUrl)).toBe(base);
  });
});
