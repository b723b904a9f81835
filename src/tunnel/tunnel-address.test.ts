import { expect, test } from "vitest";
import { SortieError } from "../base/error.ts";
import { followRedirect, isInClear, makeDialUrl, parseGatewayUrl } from "./tunnel-address.ts";

const pair = { jobUuid: "a job", agentId: "ä&b" };

test("job and agent are added to the query that the endpoint has", () => {
  const endpoint = parseGatewayUrl(" ws://gateway.example/api/challenge/tunnel?region=a%2Fb&region=c ");
  const url = makeDialUrl(endpoint, pair);
  expect(url.href).toBe(
    "ws://gateway.example/api/challenge/tunnel?region=a%2Fb&region=c&job=a+job&agent=%C3%A4%26b",
  );
  expect(makeDialUrl(url, { jobUuid: "b", agentId: "c" }).searchParams.getAll("agent")).toEqual(["c"]);
});

test("what is no address of a tunnel is refused, and says why", () => {
  for (const [text, reason] of [
    ["", "cannot be read as a URL"],
    ["gateway.example/tunnel", "cannot be read as a URL"],
    ["http://gateway.example/", "write ws:// instead of http://"],
    [
      "ws://me:secret@gateway.example/?key=secret",
      "ws://…@gateway.example/ is no address of a gateway: a user name in it",
    ],
  ] as const) {
    expect(() => parseGatewayUrl(text)).toThrow(SortieError);
    expect(() => parseGatewayUrl(text)).toThrow(reason);
  }
});

test("in clear is what leaves this machine unencrypted", () => {
  const asked = [
    "ws://gateway.example/",
    "wss://gateway.example/",
    "ws://127.0.0.1:8/",
    "ws://[::1]/",
    "ws://localhost/",
  ];
  expect(asked.map((url) => isInClear(new URL(url)))).toEqual([true, false, false, false, false]);
});

test("a redirect is followed to the same host alone, with the pair in its query", () => {
  const from = makeDialUrl(new URL("ws://gateway.example/old"), pair);
  const follow = (location: string) => {
    const to = followRedirect(from, location);
    return typeof to === "string" ? to : to.href;
  };
  const query = "job=a+job&agent=%C3%A4%26b";
  expect(follow("/new")).toBe(`ws://gateway.example/new?${query}`);
  expect(follow("http://gateway.example/new?x=1")).toBe(`ws://gateway.example/new?x=1&${query}`);
  expect(follow("https://gateway.example/new")).toBe(`wss://gateway.example/new?${query}`);
  expect(follow("ws://other.example/")).toContain(
    "another host, ws://other.example/; the token was not sent",
  );
  expect(follow("ws://gateway.example:81/")).toContain("another port");
  expect(follow("wss://gateway.example:4430/")).toContain("another port");
  expect(follow("ftp://gateway.example/")).toContain("it redirects to ftp://");
  expect(followRedirect(new URL("wss://gateway.example/"), "ws://gateway.example/")).toContain("in clear");
  expect(follow("ws://[")).toContain("no address");
});
