import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { findOfflineRuns } from "./find-offline-runs.ts";
import { isUploaded, SENDER_LOG } from "./is-uploaded.ts";

const folder = useTempFolder();
const SENDING = { level: "INFO", msg: "filestream: sending request" };
const SENT = { level: "INFO", msg: "filestream: request sent", status: "200 OK" };
const LAST = { ...SENDING, complete: true, exit_code: 0 };

const write = (name: string, entries: readonly object[]) => {
  const path = join(folder(), name, SENDER_LOG);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return join(folder(), name);
};

it.each([
  ["the last request was answered", true, [SENDING, SENT, LAST, SENT, { msg: "stream: all finished" }]],
  ["it was not", false, [SENDING, SENT, LAST, { level: "ERROR+4", msg: "filestream: fatal error: x" }]],
  ["it was refused", false, [SENDING, SENT, LAST, { ...SENT, status: "500 Oops" }]],
  ["it was cut short before that", false, [SENDING, SENT, { msg: "stream: all finished" }]],
  ["it writes nothing of its requests", true, [{ msg: "stream: started" }]],
])("tells from W&B's log whether all arrived: %s", (_, isThere, entries) => {
  expect(isUploaded(write("run", entries))).toBe(isThere);
  expect(isUploaded(join(folder(), "gone"))).toBe(true);
});

it("finds the last online run of an id, where the server has not all of it", () => {
  const run = { wandb: { id: "r1" }, resultsFolder: folder(), remote: {} } as unknown as RunRecord;
  write("wandb/run-20260101_000001-r1", [LAST]);
  write("wandb/run-20260101_000003-r2", [LAST]);
  const last = write("wandb/run-20260101_000002-r1", [LAST]);
  expect(findOfflineRuns({} as Desk, run)).toEqual([{ folder: last, isSent: false }]);
  write("wandb/run-20260101_000002-r1", [LAST, SENT]);
  expect(findOfflineRuns({} as Desk, run)).toEqual([]);
});
