import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { isNearPeer } from "./near-peer.ts";

const isNear = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
  isNearPeer({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);

test("near is who dials from this machine itself", () => {
  for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]) {
    expect(isNear(address), address).toBe(true);
  }
  for (const address of ["192.168.0.2", "::ffff:10.0.0.1", "2001:db8::1", "", undefined]) {
    expect(isNear(address), address).toBe(false);
  }
});

test("a proxy's peer, and a page in a browser, are not near", () => {
  expect(isNear("127.0.0.1", { "x-forwarded-for": "198.51.100.7" })).toBe(false);
  expect(isNear("127.0.0.1", { "x-forwarded-proto": "https" })).toBe(false);
  expect(isNear("127.0.0.1", { origin: "http://evil.example" })).toBe(false);
});
