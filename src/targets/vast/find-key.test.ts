import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { findVastKey, findVastUrl } from "./find-key.ts";

const home = useTempFolder();
const write = (folder: string, name: string, text: string) => {
  mkdirSync(join(home(), folder), { recursive: true });
  writeFileSync(join(home(), folder, name), text);
  return join(home(), folder, name);
};

test("the key comes from the environment, then from the CLI's file, then from its older file", () => {
  const env = { HOME: home() };
  expect(() => findVastKey(env)).toThrow(/VAST_API_KEY.*\.config\/vastai\/vast_api_key.*\.vast_api_key/);
  const old = write(".", ".vast_api_key", "old\n");
  expect(findVastKey(env)).toEqual({ key: "old", source: old });
  const file = write(".config/vastai", "vast_api_key", " new \n");
  expect(findVastKey(env)).toEqual({ key: "new", source: file });
  const moved = write("elsewhere/vastai", "vast_api_key", "moved");
  expect(findVastKey({ ...env, XDG_CONFIG_HOME: join(home(), "elsewhere") }).source).toBe(moved);
  expect(findVastKey({ ...env, XDG_CONFIG_HOME: "not/absolute" }).source).toBe(file);
  expect(findVastKey({ ...env, VAST_API_KEY: "mine" })).toEqual({ key: "mine", source: "VAST_API_KEY" });
});

test("a key of two words is refused without being shown", () => {
  const env = { HOME: home(), VAST_API_KEY: "secret-one\nsecret-two" };
  expect(() => findVastKey(env)).toThrow(/^(?!.*secret).*VAST_API_KEY cannot be used/);
});

test("the key goes to a server of the vendor's or this machine, and nowhere in the clear", () => {
  expect(findVastUrl({})).toBe("https://console.vast.ai");
  expect(findVastUrl({ VAST_URL: "http://127.0.0.1:8080/" })).toBe("http://127.0.0.1:8080");
  for (const url of [
    "console.vast.ai",
    "http://vast.example",
    "https://me:pw@vast.example",
    "https://v.example/?a",
  ])
    expect(() => findVastUrl({ VAST_URL: url })).toThrow(/^(?!.*pw).*VAST_URL/);
});
