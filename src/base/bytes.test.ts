import { expect, it } from "vitest";
import { formatBytes, parseBytes } from "./bytes.ts";

it("reads what people write for a size, and refuses the rest", () => {
  const sizes = ["500", "10GB", "1.5 MB", "2kb", "1GiB", "3 TB"].map((text) => parseBytes(text, "it"));
  expect(sizes).toEqual([500, 10e9, 1.5e6, 2000, 2 ** 30, 3e12]);
  for (const text of ["", "GB", "10 GG", "-1MB", "1iB", "1e9", "0x10"])
    expect(() => parseBytes(text, "it"), text).toThrow(/it is not a size/);
});

it("writes sizes in decimal units", () => {
  expect([812, 1_400_000, 10e9].map(formatBytes)).toEqual(["812 B", "1.4 MB", "10.0 GB"]);
});
