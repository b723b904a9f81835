import { expect, test } from "vitest";
import { findQuotaDay } from "./quota-day.ts";

test.each([
  ["2026-11-29T15:59:59.999Z", "+08:00", "2026-11-29"],
  ["2026-11-29T16:00:00Z", "+08:00", "2026-11-30"],
  ["2026-11-29T16:00:00Z", "Asia/Shanghai", "2026-11-30"],
  ["2026-11-29T15:59:59Z", "Asia/Shanghai", "2026-11-29"],
  ["2026-12-31T23:59:59Z", "UTC", "2026-12-31"],
  ["2027-01-01T03:29:59Z", "-03:30", "2026-12-31"],
  ["2027-01-01T03:30:00Z", "-03:30", "2027-01-01"],
  ["2026-03-29T21:59:59Z", "Europe/Berlin", "2026-03-29"],
  ["2026-03-29T22:00:00Z", "Europe/Berlin", "2026-03-30"],
  ["2028-02-29T00:00:00Z", "+00:00", "2028-02-29"],
])("%s in %s is a moment of %s", (now, timeZone, day) => {
  expect(findQuotaDay(new Date(now), timeZone)).toBe(day);
});
