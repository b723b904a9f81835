import { expect, test } from "vitest";
import { findGatewayUrlFault } from "./gateway-url.ts";

test("a gateway has a WebSocket's address", () => {
  for (const text of ["ws://h/t", "wss://h:8443/t?a=1", "WSS://[::1]/"])
    expect(findGatewayUrlFault(text)).toBeUndefined();
});

test.each([
  ["", "cannot be read"],
  ["gateway.example/t", "cannot be read"],
  ["ws:h", "cannot be read"],
  ["ws://", "cannot be read"],
  ["http://h/t", "write ws:// instead of http://"],
  ["https://h", "write wss:// instead of https://"],
  ["ftp://h/", "ftp:// is no WebSocket"],
  ["ws://me:secret@h/", "a user name in it"],
  ["ws://h/#x", "there is a #"],
])("%j is none, and why is said", (text, reason) => {
  expect(findGatewayUrlFault(text)).toContain(reason);
  expect(findGatewayUrlFault(text)).not.toContain("secret");
});
