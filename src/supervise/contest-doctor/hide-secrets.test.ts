import { expect, it } from "vitest";
import { makeCleaner } from "./hide-secrets.ts";

const clean = makeCleaner(
  { JOB_TOKEN: "job-token-of-mine" },
  { path: "", values: { CHALLENGE_TOKEN: "login-of-the-file" }, unread: {}, warnings: [] },
);

it.each([
  ["what is known here", "bad job-token-of-mine, login-of-the-file", "bad [token], [token]"],
  ["what was cut off", "refused: job-token-of", "refused: [token]"],
  ["a login token of another", "with eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.c2ln", "with [token]"],
  ["a job token of another", `dial ${"0af9".repeat(16)} now`, "dial [token] now"],
  [
    "what a command line shows",
    "run --access-token abc-1 --job-uuid x",
    "run --access-token [token] --job-uuid x",
  ],
  ["a header", "Authorization: Bearer abc.1", "Authorization: Bearer [token]"],
])("hides %s", (_, text, shown) => {
  expect(clean(text)).toBe(shown);
});

it("makes one printable line of it, and leaves a job's UUID", () => {
  const text = "job 5f0c8f6e-2f0e-4d59-9f0a-0d8c6d1f7a11\n\u001b[31m ended";
  expect(clean(text)).toBe("job 5f0c8f6e-2f0e-4d59-9f0a-0d8c6d1f7a11 \\x1b[31m ended");
});
