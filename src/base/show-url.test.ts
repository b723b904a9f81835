import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { showUrl } from "./show-url.ts";

it.each([
  ["wss://gateway.example/tunnel", "wss://gateway.example/tunnel"],
  ["ws://127.0.0.1:8080", "ws://127.0.0.1:8080"],
  ["WSS://[::1]:8443/t", "WSS://[::1]:8443/t"],
  ["wss://gateway.example/t?key=secret", "wss://gateway.example/t"],
  ["wss://gateway.example#secret", "wss://gateway.example"],
  ["wss://me:secret@gateway.example/t?key=secret", "wss://…@gateway.example/t"],
  ["http://secret@proxy:3128", "http://…@proxy:3128"],
  ["http://proxy:3128/", "http://proxy:3128/"],
  ["proxy:3128", "proxy:3128"],
  ["me:secret@proxy:3128", "…@proxy:3128"],
  ["http:me:secret@proxy", "…@proxy"],
  [" http://proxy:3128 ", "http://proxy:3128"],
  ["nonsense", "nonsense"],
  ["", ""],
])("%j is shown as %j", (text, shown) => {
  expect(showUrl(text)).toBe(shown);
});

it("takes a URL, and makes control characters visible", () => {
  expect(showUrl(new URL("wss://me:secret@gateway.example/t?key=secret"))).toBe("wss://…@gateway.example/t");
  expect(showUrl("ws://host/\x1b[2J")).toBe("ws://host/\\x1b[2J");
});

describe("a password that was typed as it is never shows", () => {
  it.each([
    ["http://me:sec@ret@proxy:3128", "http://…@proxy:3128"],
    ["http://me:sec/ret@proxy:3128/path", "http://…@proxy:3128/path"],
    ["http://me:12/sec@ret@proxy:3128", "http://…@proxy:3128"],
    ["http://me:sec\\ret@proxy:3128", "http://…@proxy:3128"],
    ["http://me:sec ret@proxy:3128", "http://…@proxy:3128"],
    ["http://me:sec\nret@proxy:3128", "http://…@proxy:3128"],
    ["me:sec/ret@proxy:3128", "…@proxy:3128"],
    ["http://me:sec?ret@proxy:3128", "http://…"],
    ["http://me:12#ret@proxy:3128", "http://…"],
    ["http://me:sec@proxy:3128/?mail=me@secret", "http://…"],
  ])("%j", (text, shown) => {
    expect(showUrl(text)).toBe(shown);
  });

  it("whatever stands in it", () => {
    const part = fc.array(fc.constantFrom(..."@/?#:\\ \n%=&1a".split("")), { maxLength: 8 });
    fc.assert(
      fc.property(part, part, part, (before, after, query) => {
        const text = `http://me:${before.join("")}SECRET${after.join("")}@proxy:3128/t?${query.join("")}SECRET`;
        expect(showUrl(text)).not.toContain("SECRET");
        expect(showUrl(text)).not.toContain("me:");
      }),
    );
  });
});
