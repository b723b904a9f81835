import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { isRefreshable, makeLoginToken, readLoginToken } from "./login-token.ts";

const key = Buffer.alloc(32, 1);
const now = new Date("2026-11-29T12:00:00.900Z");
const HOUR_MS = 3_600_000;
const later = (ms: number) => new Date(now.getTime() + ms);

test("a token is good for twelve hours, and refreshed for seven days more", async () => {
  const token = await makeLoginToken(key, { id: 5, passwordAge: 2 }, now);
  const read = (ms: number) => readLoginToken(key, token, later(ms));
  expect(await read(0)).toEqual({ userId: 5, passwordAge: 2, expiredForMs: 0 });
  expect(await read(12 * HOUR_MS - 1_000)).toMatchObject({ expiredForMs: 0 });
  const expired = await read(12 * HOUR_MS);
  expect(expired?.expiredForMs).toBeGreaterThan(0);
  expect(isRefreshable({ expiredForMs: 7 * 24 * HOUR_MS - 1 })).toBe(true);
  expect(isRefreshable({ expiredForMs: 7 * 24 * HOUR_MS })).toBe(false);
});

test.each([
  ["another algorithm", { alg: "HS512" }, { age: 0, sub: "1", exp: 9_999_999_999 }],
  ["no end", { alg: "HS256" }, { age: 0, sub: "1" }],
  ["no user", { alg: "HS256" }, { age: 0, exp: 9_999_999_999 }],
  ["a user that is no number", { alg: "HS256" }, { age: 0, sub: "x", exp: 9_999_999_999 }],
  ["no age of a password", { alg: "HS256" }, { sub: "1", exp: 9_999_999_999 }],
])("a token of ours with %s names nobody", async (_, header, claims) => {
  const token = await new SignJWT(claims).setProtectedHeader(header).sign(Buffer.alloc(64, 1));
  expect(await readLoginToken(Buffer.alloc(64, 1), token, now)).toBe(undefined);
});

test.each(["", "a.b.c", "null", "..", "x".repeat(10_000)])("%j is no token", async (text) => {
  expect(await readLoginToken(key, text, now)).toBe(undefined);
});
