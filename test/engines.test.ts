import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const checkout = join(import.meta.dirname, "..");
const readPackage = (...parts: string[]) =>
  JSON.parse(readFileSync(join(checkout, ...parts, "package.json"), "utf8"));

/** `20.12.0` as a number to compare; engines name the oldest version that will do. */
function readOldest(engines: string): number {
  const [, major = 0, minor = 0] = /^>=\s*(\d+)(?:\.(\d+))?/.exec(engines) ?? [];
  return Number(major) * 1000 + Number(minor);
}

test("the oldest Node.js that we name will do for every dependency", () => {
  const { engines, dependencies } = readPackage();
  const needs = Object.keys(dependencies).map((name) =>
    readOldest(readPackage("node_modules", name).engines?.node ?? ""),
  );
  expect(readOldest(engines.node)).toBeGreaterThanOrEqual(Math.max(...needs));
  expect(readFileSync(join(checkout, "README.md"), "utf8")).toContain(
    `Node.js ${engines.node.slice(2)} or later`,
  );
});
