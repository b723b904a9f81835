import { expect, it } from "vitest";
import { parseHandlerSpec } from "./handler-spec.ts";

it.each([
  ["policy:handle", { folder: "/home/ann", module: "policy", name: "handle" }],
  ["pkg.sub:policy.handle", { folder: "/home/ann", module: "pkg.sub", name: "policy.handle" }],
  ["sdk/python/example:handle", { folder: "/home/ann/sdk/python", module: "example", name: "handle" }],
  ['/opt/it\'s a: "dir"/mod.sub:f', { folder: '/opt/it\'s a: "dir"', module: "mod.sub", name: "f" }],
  ["../mod:f", { folder: "/home", module: "mod", name: "f" }],
  ["./mod:f", { folder: "/home/ann", module: "mod", name: "f" }],
  ["模型:推理", { folder: "/home/ann", module: "模型", name: "推理" }],
  ["a/b.py:f", { folder: "/home/ann/a", module: "b", file: "/home/ann/a/b.py", name: "f" }],
  ["my-v1.2.py:f", { folder: "/home/ann", module: "my-v1_2", file: "/home/ann/my-v1.2.py", name: "f" }],
])("%s is Python", (spec, expected) => {
  expect(parseHandlerSpec(spec, "/home/ann")).toEqual({ language: "python", ...expected });
});

it.each([
  ["a/b.mjs", { file: "/home/ann/a/b.mjs" }],
  ["b.js:act", { file: "/home/ann/b.js", name: "act" }],
  ["/opt/a:b/c.cjs", { file: "/opt/a:b/c.cjs" }],
  ["/opt/a:b/c.cjs:policy.act", { file: "/opt/a:b/c.cjs", name: "policy.act" }],
])("%s is JavaScript", (spec, expected) => {
  expect(parseHandlerSpec(spec, "/home/ann")).toEqual({ language: "javascript", ...expected });
});

it.each([
  ["", "no module stands in it"],
  [":handle", "no module stands in it"],
  ["policy", "no function stands after a colon"],
  ["policy.py", "no function stands after a colon"],
  ["policy:", "what stands after the colon is no name"],
  ["policy:handle()", "what stands after the colon is no name"],
  ["a/b/:handle", "it ends in no module's name; a file needs its .py"],
  ["my-policy:handle", "it ends in no module's name; a file needs its .py"],
  ["policy.ts:handle", "TypeScript must be compiled first"],
  ["b.mjs:", "what stands after the colon is no name"],
])("%j is no handler: %s", (spec, reason) => {
  expect(() => parseHandlerSpec(spec, "/home/ann")).toThrow(
    expect.objectContaining({ code: "handler_spec_bad", details: expect.objectContaining({ reason }) }),
  );
});
