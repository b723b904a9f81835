import { expect, test } from "vitest";
import { SortieError } from "../../src/base/error.ts";
import { startApiStage } from "../support/api-stage.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

const outages = {
  "held by another program": new SortieError("store_busy", { path: "/secret/gateway.db", seconds: 10 }),
  "not to be written": new SortieError("home_unwritable", { path: "/secret/gateway.db", reason: "ENOSPC" }),
};

const calls = [
  ["POST", "/api/challenge/login", { email: "ann@example.org", password: "x" }],
  ["POST", "/api/challenge/job", { name: "j", config: { board: "manip", model_name: "m" } }],
  ["GET", "/api/challenge/jobs"],
  ["GET", "/api/challenge/leaderboard?board=manip"],
  ["GET", "/api/challenge/leaderboard/top5"],
  ["GET", "/api/challenge/leaderboard/manip/detail?user_uid=x"],
] as const;

test.each(Object.entries(outages))(
  "a database that is %s is 503 with Retry-After, on every call",
  async (_, fault) => {
    const stage = await startApiStage(folder());
    const { token } = await stage.addUser();
    const fail = () => {
      throw fault;
    };
    Object.assign(stage.records, { find: fail, list: fail, change: fail, together: fail });
    for (const [method, path, body] of calls) {
      const answer = await stage.call(method, path, { token, body });
      expect([path, answer.status, answer.headers["retry-after"], answer.body]).toEqual([
        ...[path, 503, "5"],
        { status: "error", error: "the gateway cannot use its database now: try again in 5 s" },
      ]);
    }
    expect(stage.state.faults).toEqual(calls.map(() => fault));
  },
);

test("a fault that does not pass by itself stays 500", async () => {
  const stage = await startApiStage(folder());
  const fault = new SortieError("store_corrupt", { path: "/secret/gateway.db", reason: "malformed" });
  Object.assign(stage.records, {
    list: () => {
      throw fault;
    },
    find: () => {
      throw fault;
    },
  });
  const { status, text } = await stage.get("/api/challenge/leaderboard?board=manip");
  expect(status).toBe(500);
  expect(text).not.toContain("secret");
});

test("the OpenAPI document has 503 on every route", async () => {
  const stage = await startApiStage(folder());
  const { body } = await stage.get("/api/openapi.json");
  for (const [path, methods] of Object.entries<Record<string, { responses: object }>>(body.paths))
    for (const { responses } of Object.values(methods))
      expect([path, Object.keys(responses)]).toEqual([path, expect.arrayContaining(["503"])]);
});
