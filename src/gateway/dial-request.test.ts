import { describe, expect, it } from "vitest";
import { parseDial } from "./dial-request.ts";

const path = "/api/challenge/tunnel";

describe("a dial", () => {
  it.each([
    ["job, agent and token", `${path}?job=j&agent=a`, "Bearer t", { jobUuid: "j", agentId: "a", token: "t" }],
    [
      "any other query kept",
      `${path}?x=1&job=j&agent=a`,
      "bearer  t",
      { jobUuid: "j", agentId: "a", token: "t" },
    ],
    [
      "an encoded id",
      `${path}?job=j&agent=a%20%C3%A9`,
      "Bearer t",
      { jobUuid: "j", agentId: "a é", token: "t" },
    ],
    ["no token", `${path}?job=j&agent=a`, undefined, { jobUuid: "j", agentId: "a", token: "" }],
    ["another scheme", `${path}?job=j&agent=a`, "Basic t", { jobUuid: "j", agentId: "a", token: "" }],
    [
      "an id of 64 bytes",
      `${path}?job=j&agent=${"a".repeat(64)}`,
      "",
      { jobUuid: "j", agentId: "a".repeat(64), token: "" },
    ],
  ])("is read: %s", (_, target, authorization, wanted) => {
    expect(parseDial(target, authorization)).toEqual(wanted);
  });

  it.each([
    ["another path", "/api/challenge/tunnels?job=j&agent=a", "no_such_path", 404],
    ["the path in other letters", "/API/challenge/tunnel?job=j&agent=a", "no_such_path", 404],
    ["no path at all", "http://", "no_such_path", 404],
    ["no job", `${path}?agent=a`, "bad_request", 400],
    ["no agent", `${path}?job=j`, "bad_request", 400],
    ["an agent id of 65 bytes", `${path}?job=j&agent=${"é".repeat(32)}a`, "bad_request", 400],
    ["an agent id with a control character", `${path}?job=j&agent=a%1b`, "bad_request", 400],
  ])("is refused: %s", (_, target, why, status) => {
    expect(parseDial(target, "Bearer t")).toMatchObject({ fault: { why, status, says: expect.any(String) } });
  });
});
