import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { systemClock } from "../base/clock.ts";
import type { Desk } from "./desk.ts";
import { makeFaultLog } from "./watcher-log.ts";

const temp = useTempFolder();

it("tells once what a step meets again and again, whatever other steps meet between", () => {
  const path = join(temp(), "watcher.log");
  const tell = makeFaultLog({ home: { watcherLog: path }, clock: systemClock } as Desk);
  for (let round = 0; round < 3; round += 1) {
    tell("start", "no plan");
    tell("collect", "disk\nfull");
    tell("look", "no plan"); // the round passes on its first fault
  }
  tell("start", "no GPU");
  const told = readFileSync(path, "utf8").trim().split("\n");
  expect(told.map((line) => line.replace(/^\S+Z /, ""))).toEqual(["no plan", "disk full", "no GPU"]);
});
