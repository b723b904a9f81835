import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { makeTempFolder } from "./temp-folder.ts";

const folder = useTempFolder();

it("is made in the first parent that takes one", () => {
  const made = makeTempFolder("a-", 1000, ["/no/such/folder", "/proc", folder()]);
  expect(made).toEqual({ path: expect.stringContaining(join(folder(), "a-")) });
  expect(readdirSync(folder())).toHaveLength(1);
});

it("is not made where its path would be too long", () => {
  const made = makeTempFolder("a-", 30, [`/tmp/${"long/".repeat(30)}`, "/no"]);
  expect(made).toEqual({
    notMade: expect.stringMatching(/^ENOENT: .*none of \/no takes a folder: set TMPDIR/),
  });
});

it("is not there where no parent takes one, and TMPDIR is named", () => {
  const made = makeTempFolder("a-", 1000, ["/no/such/folder", "/no/other"]);
  expect(made).toEqual({
    notMade: expect.stringMatching(/^ENOENT: .*none of \/no\/such\/folder, \/no\/other .*set TMPDIR/),
  });
  expect(existsSync("/no")).toBe(false);
});
