import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeSocketFolder } from "./socket-folder.ts";

let runtime = "";
beforeEach(() => {
  runtime = mkdtempSync("/tmp/sortie-r-"); // short, as those of real machines
});
afterEach(() => rmSync(runtime, { recursive: true }));

const userId = process.getuid?.();
const make = (folder: string, home = "/home/ann/.sortie") =>
  makeSocketFolder({ XDG_RUNTIME_DIR: folder }, home, runtime);

describe("the folder of the shared connections", () => {
  test("is private, the same every time, and another one for another home of Sortie", () => {
    const folder = make(runtime);
    expect(folder).toMatch(new RegExp(`^${runtime}/sortie/[0-9a-f]{8}$`));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(make(runtime)).toBe(folder);
    expect(make(runtime, "/other")).not.toBe(folder);
  });

  test.each([
    ["is not there", "/no/such/folder"],
    ["is relative", "run"],
    ["has a name that ssh would read otherwise", "/tmp/a b%c"],
    ["is too long for a socket", `/tmp/${"x".repeat(60)}`],
  ])("lies in /tmp where XDG_RUNTIME_DIR %s", (_, folder) => {
    expect(make(folder)).toMatch(new RegExp(`^${runtime}/sortie-${userId}/[0-9a-f]{8}$`));
  });

  test("is refused where others may enter it", () => {
    mkdirSync(join(runtime, "sortie"));
    chmodSync(join(runtime, "sortie"), 0o755);
    expect(() => make(runtime)).toThrow(/others may enter/);
  });

  test("is refused where somebody has put a link in its place", () => {
    mkdirSync(join(runtime, "real"), { mode: 0o700 });
    symlinkSync(join(runtime, "real"), join(runtime, "sortie"));
    expect(() => make(runtime)).toThrow(/not a folder/);
  });

  test.skipIf(userId !== 0)("is refused where it belongs to another user", () => {
    mkdirSync(join(runtime, "sortie-0"), { mode: 0o700 });
    // 65534 is `nobody` nearly everywhere; that it is not us is enough.
    chownSync(join(runtime, "sortie-0"), 65534, 65534);
    expect(() => make("")).toThrow(/another user/);
  });
});
