import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { spawnDetached } from "./spawn-detached.ts";

const folder = useTempFolder();

it("answers with null where nothing could be started", () => {
  const file = join(folder(), "file");
  writeFileSync(file, "");
  const options = { env: process.env, logFile: join(folder(), "log") };
  expect(spawnDetached(["true"], { ...options, cwd: file })).toBeNull();
  expect(spawnDetached(["no-such-program-here"], { ...options, cwd: folder() })).toBeNull();
});
