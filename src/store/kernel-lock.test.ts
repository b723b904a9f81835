import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { isKernelLockHeld, takeKernelLock } from "./kernel-lock.ts";

const folder = useTempFolder();
const path = () => join(folder(), "a lock");

it("is held by one at a time", () => {
  const first = takeKernelLock(path());
  expect(first).not.toBeNull();
  expect(takeKernelLock(path())).toBeNull();
  first?.release();
  const second = takeKernelLock(path());
  expect(second).not.toBeNull();
  second?.release();
});

it("can be looked at without being taken", () => {
  expect(isKernelLockHeld(path())).toBe(false);
  expect(existsSync(path())).toBe(false);
  const lock = takeKernelLock(path());
  expect(isKernelLockHeld(path())).toBe(true);
  lock?.release();
  expect(isKernelLockHeld(path())).toBe(false);
});

it("says so when the file cannot be a lock, and does not call that held", () => {
  const unusable = expect.objectContaining({ code: "home_unwritable" });
  expect(() => takeKernelLock(join(folder(), "no", "lock"))).toThrow(unusable);
  writeFileSync(path(), "not a lock of ours ".repeat(100));
  expect(() => takeKernelLock(path())).toThrow(expect.objectContaining({ code: "store_corrupt" }));
});
