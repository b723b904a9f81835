import { expect, it } from "vitest";
import { ask, sid, useHandlers } from "../../test/support/handlers.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";

const { write, start } = useHandlers(useTempFolder());

/** Starts the handler, and gives what it says of itself, too. */
async function startWithLines(spec: string, text: string) {
  write(spec.split(":")[0] as string, text);
  const lines: string[] = [];
  const handler = await start(spec, { onLog: (line) => lines.push(line) });
  return { handler, lines };
}

it.each([
  [
    "beside a named export",
    "policy.mjs",
    "export const handle = (s, f) => f;\nexport const load = () => go('load');",
  ],
  [
    "beside a default export",
    "policy.mjs",
    "export default (s, f) => f;\nexport const load = () => go('load');",
  ],
  [
    "beside a default export, by name",
    "policy.mjs",
    "export default { handle: (s, f) => f };\nexport const load = () => go('load');",
  ],
  [
    "in a default export, for a named one",
    "policy.mjs",
    "export const handle = (s, f) => f;\nexport default { load: () => go('load') };",
  ],
  [
    "of CommonJS, where Node sees a part of the names",
    "policy.cjs",
    "const handle = (s, f) => f;\nmodule.exports = { handle, load: () => go('load') };",
  ],
  [
    "that were added to CommonJS",
    "policy.cjs",
    "exports.handle = (s, f) => f;\nObject.assign(exports, { load: () => go('load') });",
  ],
  [
    "of an object, not of its module",
    "policy.mjs:policy.act",
    "export const policy = { act: (s, f) => f, load() { if (this === policy) go('load'); } };\nexport const load = () => go('wrong');",
  ],
])("hooks are found %s", async (_, spec, text) => {
  const { handler, lines } = await startWithLines(spec, `const go = (word) => console.log(word);\n${text}`);
  expect(handler.about.offers).toEqual(["load"]);
  await handler.load();
  expect(lines).toEqual([]);
  expect(await ask(handler)).toBe("?");
});

it("what only has the name of a hook is not called, which is said", async () => {
  const { handler, lines } = await startWithLines(
    "policy.mjs",
    "export const load = (config) => config.weights;\nexport class open {}\nexport const close = (a, b) => a;\n" +
      "export const handle = (s, f) => (f.length ? f : null);",
  );
  expect(handler.about.offers).toEqual([]);
  expect(lines).toEqual([
    "load wants 1 argument and cannot be called without arguments: it is not called for the handler",
    "open is a class: it is not called for the handler",
    "close wants 2 arguments and cannot be called with the session id alone: it is not called for the handler",
  ]);
  await handler.load();
  await handler.open(sid);
  expect(await ask(handler)).toBe("?");
});

it("what stands in the module beside an object is not called, which is said", async () => {
  const { handler, lines } = await startWithLines(
    "policy.mjs:policy.act",
    "export const policy = { act: (s, f) => f };\nexport const load = () => undefined;\nexport const open = 3;",
  );
  expect(handler.about.offers).toEqual([]);
  expect(lines).toEqual([
    "load belongs to the module and not to the object of the function: it is not called for the handler",
  ]);
});

it("arguments that need not be given are no hindrance", async () => {
  const { handler, lines } = await startWithLines(
    "policy.mjs",
    "export const load = (config = {}) => config;\nexport const open = (s, ...more) => more;\nexport const handle = (s, f) => f;",
  );
  expect([handler.about.offers, lines]).toEqual([["load", "open"], []]);
});
