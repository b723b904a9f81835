import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { findHome } from "../disk/home.ts";
import { chooseTargetFor } from "./choose-target.ts";
import type { Desk } from "./desk.ts";
import { makeRequest, type RunWish } from "./make-request.ts";

const folder = useTempFolder();

it("results under ~ lie in the person's home folder", async () => {
  expect(await findPatterns(null)).toEqual([join(folder(), "me/vout/")]);
  expect(await findPatterns(["~/zz/", "~", "~other/x", "a/~/b"])).toEqual([
    join(folder(), "me/zz/"),
    join(folder(), "me"),
    "~other/x",
    "a/~/b",
  ]);
});

async function findPatterns(results: readonly string[] | null): Promise<readonly string[]> {
  const env = { HOME: join(folder(), "me"), SORTIE_HOME: join(folder(), "sortie") };
  mkdirSync(env.HOME, { recursive: true });
  writeFileSync(join(folder(), "AGENTS.md"), "## Local Environment\n- results: ~/vout/\n");
  const desk = { env, home: findHome(env) } as unknown as Desk;
  const choice = await chooseTargetFor(desk, { cwd: folder(), wanted: null });
  if ("trust" in choice) return [];
  return makeRequest(makeWish(results), choice.target).results;
}

function makeWish(results: readonly string[] | null): RunWish {
  return {
    ...{ command: ["true"], cwd: folder(), isCwdGiven: false, target: null, name: null, results },
    ...{ gpus: null, gpu: [], variables: {}, envFiles: [] },
    ...{
      timeoutS: null,
      graceS: null,
      expectS: null,
      waitGpuS: null,
      freeze: false,
      copies: [],
      environment: null,
      unverified: false,
    },
  };
}
