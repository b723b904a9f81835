import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { readLog } from "./read-log.ts";

const folder = useTempFolder();
const read = (text: string) => {
  const path = join(folder(), "log");
  writeFileSync(path, text);
  return readLog(path, "secret-token");
};

it("gives the last lines, also of a log of megabytes", () => {
  const many = Array.from({ length: 200_000 }, (_, index) => `line ${index}`);
  expect(read(`${many.join("\n")}\n`)).toEqual({ lines: many.slice(-12), holdsToken: false });
  expect(read("")).toEqual({ lines: [""], holdsToken: false });
});

it("gives nothing of a log that is not there", () => {
  expect(readLog(join(folder(), "gone"), "secret-token")).toEqual({ lines: [], holdsToken: false });
});

it("finds the token wherever it stands, and takes it out of what is shown", () => {
  expect(read("with secret-token\n")).toEqual({ lines: ["with ***"], holdsToken: true });
  const across = `${"x".repeat(1024 * 1024 - 5)}secret-token${"y".repeat(100_000)}`;
  expect(read(across).holdsToken).toBe(true);
});
