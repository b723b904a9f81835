import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { findOfflineRuns } from "./find-offline-runs.ts";

const folder = useTempFolder();

it("finds the runs of W&B's below the results, past links that lead nowhere", () => {
  const results = join(folder(), "results");
  const kept = join(results, "wandb", "offline-run-1-r1");
  mkdirSync(kept, { recursive: true });
  mkdirSync(join(results, "wandb", "offline-run-2-r2"));
  writeFileSync(join(kept, "run-r1.wandb.synced"), "");
  symlinkSync("round", join(results, "round"));
  symlinkSync("gone", join(results, "lost"));
  const run = { wandb: { id: "r1" }, resultsFolder: results, remote: {} } as unknown as RunRecord;
  expect(findOfflineRuns({} as Desk, run)).toEqual([{ folder: kept, isSent: true }]);
});
