import { expect, it } from "vitest";
import { hashToken, isTokenOf, makeJobToken } from "./job-token.ts";

it("a token is another one each time, and can stand anywhere in a command", () => {
  const tokens = Array.from({ length: 100 }, makeJobToken);
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/);
});

it("only the token itself fits its hash", () => {
  const token = makeJobToken();
  const hash = hashToken(token);
  expect([token, makeJobToken(), "", `${token} `].map((text) => isTokenOf(hash, text))).toEqual([
    ...[true, false, false, false],
  ]);
});
