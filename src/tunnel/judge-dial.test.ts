import { expect, test } from "vitest";
import { type DialFailure, judgeDialFault, judgeResponse } from "./judge-dial.ts";

const url = new URL("ws://gateway.example/api/challenge/tunnel?job=j1&agent=a1");

test("an answer other than 101 is final, or is tried again, by its status", () => {
  const judge = (status: number, body = "", contentType = "application/json") =>
    judgeResponse({ status, body, contentType }, url).kind;
  expect([200, 301, 400, 403, 404, 426].map((status) => judge(status))).toEqual(Array(6).fill("final"));
  expect([429, 500, 502, 503, 504].map((status) => judge(status))).toEqual(Array(5).fill("busy"));
  expect(judge(401)).toBe("unauthorized");
  // What stands before a gateway that restarts answers with pages too.
  expect(judge(502, "<html>Bad Gateway", "text/html")).toBe("busy");
});

test("a 401 that says that the job has ended is final, and told without the four causes", () => {
  const judge = (says: string) =>
    judgeResponse({ status: 401, body: JSON.stringify({ error: says }), contentType: "" }, url);
  for (const says of ["the job has ended", "Job already finished.", "job is over"]) {
    const failure = judge(says);
    expect([failure.kind, "error" in failure && failure.error.code]).toEqual(["final", "tunnel_job_ended"]);
    expect(tellFailure(failure)).toContain(`takes no agent for job j1 any more (401: "${says}")`);
  }
  for (const says of ["no token of this job", "the job has ended or is not yours", "unknown job"])
    expect(judge(says).kind, says).toBe("unauthorized");
});

test("an answer is told with its words", () => {
  const tell = (status: number, body: string, contentType = "") =>
    tellFailure(judgeResponse({ status, body, contentType }, url));
  const refused = tell(401, '{"status":"error","error":"job \\u001b[31m is over"}');
  expect(refused).toContain('refused this agent (401: "job \\x1b[31m is over")');
  expect(tell(503, "later\n\n please")).toBe('it answered 503: "later please"');
  expect(tell(200, "<!DOCTYPE html><title>Welcome", "text/html")).toBe(
    'ws://gateway.example/api/challenge/tunnel is no tunnel: it answered a web page (200): "<!DOCTYPE html><title>Welcome".',
  );
  expect(tell(404, "<html>")).toContain("is no tunnel: it answered a web page (404)");
  expect(tell(404, "")).toBe("The gateway gateway.example answered 404.");
  expect(tell(418, "")).toContain("418 instead of 101");
  expect(tell(101, "")).toContain("it answered 101 without the change to WebSocket");
  expect(tell(500, "x".repeat(9000)).length).toBeLessThan(250);
});

test("a dial that broke off is tried again, unless the address is wrong", () => {
  const judge = (code: string, text = "") => judgeDialFault(Object.assign(new Error(text), { code }), url);
  const words = (code: string) => tellFailure(judge(code));
  expect(words("ENOTFOUND")).toBe("DNS knows no such name (ENOTFOUND)");
  expect(words("EAI_AGAIN")).toContain("DNS");
  for (const code of ["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE", "EMFILE", "HPE_INVALID_EOF_STATE"])
    expect(judge(code, "text").kind, code).toBe("network");
  for (const code of ["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID"])
    expect(judge(code), code).toMatchObject({
      kind: "final",
      error: { code: "tunnel_certificate", hint: expect.stringContaining("NODE_EXTRA_CA_CERTS") },
    });
  for (const code of ["EPROTO", "HPE_INVALID_CONSTANT"]) expect(judge(code).kind, code).toBe("final");
  expect(judgeDialFault(new Error("Invalid Upgrade header"), url).kind).toBe("final");
  expect(judgeDialFault(new Error("socket hang up"), url).kind).toBe("network");
  const openSsl = "80C:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../record.c:350:\n";
  expect(tellFailure(judge("EPROTO", `write EPROTO ${openSsl}`))).toMatch(
    /: it speaks no TLS \(wrong version number\)\.$/,
  );
  const several = Object.assign(
    new AggregateError([Object.assign(new Error(), { code: "ECONNREFUSED" })]),
    {},
  );
  expect(tellFailure(judgeDialFault(several, url, "http://127.0.0.1:1/"))).toBe(
    "through the proxy http://127.0.0.1:1/: nobody listens there (ECONNREFUSED)",
  );
});

function tellFailure(failure: DialFailure): string {
  return "reason" in failure ? failure.reason : failure.error.message;
}
