import { describe, expect, it } from "vitest";
import { checkSubmission } from "./check-submission.ts";
import { describeFailure } from "./failure-reasons.ts";

const good = { name: "a job", board: "manip", modelName: "model" };

describe("a submission", () => {
  it.each([
    {},
    { description: "two\nlines", paperLink: "https://h/p?x=1" },
    { description: null, paperLink: "" },
    { paperLink: `https://h/${"x".repeat(502)}` },
  ])("may have %j", (more) => expect(() => checkSubmission({ ...good, ...more })).not.toThrow());

  it.each([
    [{ board: "mannip" }, /its board .*instruction, spatial, manip, robust; did you mean manip\?/],
    [{ board: "" }, /its board/],
    [{ name: " " }, /its name will not do: it is empty/],
    [{ modelName: "" }, /its model name .* empty/],
    [{ name: "a\nb" }, /its name .* no text/],
    [{ name: "x".repeat(129) }, /its name .* more than 128/],
    [{ paperLink: "h/p" }, /its paper link .* no http/],
    [{ paperLink: "ftp://h/p" }, /its paper link/],
    [{ paperLink: "https://h/a b" }, /its paper link/],
    [{ paperLink: `https://h/${"x".repeat(503)}` }, /its paper link .* 513 characters, at most 512/],
    [{ description: "\0" }, /its description/],
  ])("may not have %j", (more, reason) => {
    expect(() => checkSubmission({ ...good, ...more })).toThrow(reason);
  });

  it("may be for a board of a server's own", () => {
    expect(() => checkSubmission({ ...good, board: "mine" }, ["mine"])).not.toThrow();
    expect(() => checkSubmission(good, ["mine"])).toThrow("there are mine");
  });
});

describe("a failure", () => {
  it.each([
    [1, null, "unknown", "ended with an error"],
    [5, null, "platform", "did not start in time"],
    [8, "startup reconcile", "platform", "another case"],
    [9, null, "contestant", "tunnel"],
    [9, "startup reconcile: x", "platform", "gateway was started again"],
    [9, "reconnect window expired", "contestant", "not back within"],
    [9, "Liveness probe", "contestant", "probe"],
    [77, null, "unknown", "(77)"],
    [null, null, "unknown", "no reason"],
  ])("of reason %j, %j is the doing of: %s", (reason, error, whose, said) => {
    expect(describeFailure(reason, error)).toEqual({ whose, said: expect.stringContaining(said) });
  });
});
