import { expect, test } from "vitest";
import { hashPassword, isPasswordOf } from "./password.ts";

test("a password is known by its hash, which is another each time and holds nothing of it", async () => {
  const [one, two] = await Promise.all([hashPassword("sésame"), hashPassword("sésame")]);
  expect(one).toMatch(/^\$argon2id\$/);
  expect(one).not.toBe(two);
  expect(
    await Promise.all([isPasswordOf(one, "sésame"), isPasswordOf(one, "sesame"), isPasswordOf(one, "")]),
  ).toEqual([...[true, false, false]]);
});

test("nobody's password is never right", async () => {
  expect(await isPasswordOf(undefined, "sésame")).toBe(false);
});
