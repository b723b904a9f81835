import { createHash } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { checkFetched } from "./manifest.ts";

const folder = useTempFolder();
const EXIT = {
  ...{ schema: 1, runId: "r1", exitCode: 3, signal: null, reason: "exited", seconds: 5, starts: 1 },
  ...{ startedAt: "2026-11-30T10:00:00.000Z", endedAt: "2026-11-30T10:00:05.000Z" },
};
const RESULT = "code/results/metrics.json";

function write(path: string, text: string) {
  mkdirSync(dirname(join(folder(), path)), { recursive: true });
  writeFileSync(join(folder(), path), text);
}

/** A folder as it comes from the volume, whole. */
function fetchWhole(runId = "r1") {
  const files = { [RESULT]: '{"accuracy": 0.9}', "exit.json": JSON.stringify(EXIT), log: "" };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const list = Object.entries(files).map(([path, text]) => {
    const sha256 = createHash("sha256").update(text).digest("hex");
    return { path, bytes: Buffer.byteLength(text), sha256 };
  });
  write("manifest.json", JSON.stringify({ schema: 1, runId, files: list, leftOut: [] }));
  return list;
}

const check = () => checkFetched(folder(), { runId: "r1", volume: "experiment-results" });

test("takes what is whole, and tells how the command ended", async () => {
  const files = fetchWhole();
  expect(await check()).toMatchObject({ files, leftOut: [], exit: { exitCode: 3, reason: "exited" } });
});

test.each<[string, () => void, RegExp]>([
  ["an error body", () => write(RESULT, '{"error": "try later"}'), /metrics\.json has 22 bytes .* `{"error"/],
  ["an error body of the same size", () => write(RESULT, '{"error": "late"}'), /another hash/],
  ["a short file", () => write(RESULT, '{"accu'), /has 6 bytes instead of 17/],
  ["a missing file", () => rmSync(join(folder(), RESULT)), /metrics\.json is missing/],
  ["a missing manifest", () => rmSync(join(folder(), "manifest.json")), /not come to its end/],
  [
    "an error body as the manifest",
    () => write("manifest.json", "<html>\n503"),
    /is none, it begins `<html> 503`/,
  ],
  ["the manifest of another run", () => fetchWhole("r2"), /that of run r2/],
  ["half a manifest", () => write("manifest.json", '{"schema":1,"runId":"r1","files":['), /is none/],
  [
    "a path that leads out",
    () =>
      write("manifest.json", '{"runId":"r1","leftOut":[],"files":[{"path":"../x","bytes":0,"sha256":""}]}'),
    /is none/,
  ],
  [
    "a link in a file's place",
    () => {
      rmSync(join(folder(), RESULT));
      symlinkSync("/etc/hostname", join(folder(), RESULT));
    },
    /is no file/,
  ],
])("refuses %s", async (_, spoil, reason) => {
  fetchWhole();
  spoil();
  await expect(check()).rejects.toMatchObject({
    code: "modal_results_broken",
    message: expect.stringMatching(reason),
  });
});
