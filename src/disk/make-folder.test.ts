import { statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { findFolderFault, makeFolder } from "./make-folder.ts";

const folder = useTempFolder();

it("makes a folder with its parents, and does no harm to one that is there", () => {
  const path = join(folder(), "one", "two", "three");
  for (const _ of [1, 2]) makeFolder(path, { mode: 0o700 });
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it.runIf(process.platform === "linux")("below a folder that takes none fails at once", () => {
  expect(() => makeFolder("/proc/sortie/data")).toThrow(/ENOENT/);
});

it("says why there can be no folder", () => {
  const [file, link] = [join(folder(), "file"), join(folder(), "link")];
  writeFileSync(file, "");
  symlinkSync(join(folder(), "nothing"), link);
  expect(findFolderFault(folder())).toBeUndefined();
  expect(findFolderFault(join(folder(), "new", "er"))).toBeUndefined();
  expect(findFolderFault(file)).toBe("it is a file");
  expect(findFolderFault(link)).toBe("it is a link to nothing");
  expect(findFolderFault(join(file, "a", "b"))).toBe(`it lies in ${file}, which is a file`);
  expect(findFolderFault(join(link, "a"))).toBe(`it lies in ${link}, which is a link to nothing`);
});
