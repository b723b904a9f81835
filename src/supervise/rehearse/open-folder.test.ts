import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { openFolder } from "./open-folder.ts";

const folder = useTempFolder();

afterEach(() => {
  vi.unstubAllEnvs();
});

it("makes the folder to keep, its parents too, and leaves it", () => {
  const path = join(folder(), "a", "b");
  openFolder(path).close();
  expect(existsSync(path)).toBe(true);
});

it("refuses at once a folder that cannot be made", () => {
  expect(() => openFolder("/proc/x/y")).toThrow(/^The folder \/proc\/x\/y cannot hold the logs: ENOENT/);
});

it("takes another place where TMPDIR is not there, and removes what it made", () => {
  vi.stubEnv("TMPDIR", "/no/such/folder");
  const { path, close } = openFolder(undefined);
  expect(existsSync(path)).toBe(true);
  close();
  expect(existsSync(path)).toBe(false);
});
