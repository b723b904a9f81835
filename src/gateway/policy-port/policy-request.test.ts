import { expect, test } from "vitest";
import { parsePolicyRequest } from "./policy-request.ts";

const parse = (target: string, authorization?: string) => parsePolicyRequest("openpi", target, authorization);

test("a simulator says which case, which board and with what key, or nothing", () => {
  expect(parse("/")).toEqual({ request: { caseId: undefined, board: undefined, key: undefined } });
  expect(parse("/api/simulator/policy/openpi?case=7&board=kitchen", "Api-Key abc")).toEqual({
    request: { caseId: 7, board: "kitchen", key: "abc" },
  });
  expect(parse("/", "api-key  abc ")).toMatchObject({ request: { key: "abc" } });
});

test("a credential that is no key is a wrong key, not none", () => {
  for (const authorization of ["", "Bearer abc", "Api-Key", "Api-Key a b", "abc"]) {
    expect(parse("/", authorization)).toMatchObject({ request: { key: "" } });
  }
});

test("other paths are not found", () => {
  const paths = ["/api/simulator/policy/corobot", "/api/simulator/policy/openpi/", "/x", "http://[", "//a/b"];
  for (const path of paths) expect(parse(path)).toMatchObject({ refusal: { status: 404 } });
});

test("a query that means nothing is refused", () => {
  const queries = [
    ...["case=", "case=0", "case=-1", "case=1.5", "case=1e3", "case=x", "case=9999999999999999"],
    ...["case=1&case=2", "board=a&board=a", "cases=1", "case=1'--"],
  ];
  for (const query of queries) expect(parse(`/?${query}`)).toMatchObject({ refusal: { status: 400 } });
});
