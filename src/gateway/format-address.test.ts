import { expect, it } from "vitest";
import { formatAddress } from "./format-address.ts";

it("puts port and host together, whatever the family", () => {
  expect(formatAddress("203.0.113.7", 80)).toBe("203.0.113.7:80");
  expect(formatAddress("2001:db8::7", 80)).toBe("[2001:db8::7]:80");
  expect(formatAddress("::ffff:203.0.113.7", 80)).toBe("203.0.113.7:80");
});
