import { expect, test } from "vitest";
import { SortieError } from "../base/error.ts";
import { Secrets } from "./secrets.ts";

test("each secret is left out, whole or cut off at the end, and nothing else", () => {
  const secrets = new Secrets("the-first-token");
  secrets.hide("a-later-token");
  expect(secrets.clean("the-first-token, a-later-token; the-first-token")).toBe("[token], [token]; [token]");
  expect(secrets.clean("Bearer the-first-to")).toBe("Bearer [token]");
  expect(secrets.clean("of the-fir in a line")).toBe("of the-fir in a line");
  expect(new Secrets("short").clean("short")).toBe("short");
});

test("an error keeps its code without the secret, and is the same one where it held none", () => {
  const secrets = new Secrets("the-first-token");
  const error = new SortieError("pair_taken", { agentId: "a", job: "j", says: ": the-first-token" });
  expect(secrets.cleanError(error)).toMatchObject({ code: "pair_taken", details: { says: ": [token]" } });
  expect(secrets.cleanError(error).message).not.toContain("the-first");
  const other = new SortieError("handler_fault", { call: "load", reason: "no weights", list: ["x"] });
  expect(secrets.cleanError(other)).toBe(other);
});
