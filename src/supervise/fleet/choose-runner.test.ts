import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { chooseRunner } from "./choose-runner.ts";

const folder = useTempFolder();

it("refuses a handler or an interpreter that is not there, before a slot is spent", () => {
  const desk = { env: { PATH: folder() }, self: ["node", "sortie"] };
  const choose = (handler: string, python?: string) => () =>
    chooseRunner(desk, { agents: 1, gpu: [], cwd: folder(), handler, python });
  writeFileSync(join(folder(), "my policy.py"), "");
  expect(choose("my policy.py:handle")()).toMatchObject({ kind: "handler", handler: "my policy.py:handle" });
  const refusals = [
    [choose("my polcy.py:handle"), "handler_not_found", /Did you mean my policy\.py\?/],
    [choose("nowhere/policy:handle"), "handler_not_found", /Relative paths start at the working folder/],
    [choose("policy"), "handler_spec_bad", /MODULE:FUNCTION/],
    [choose("my policy.py:handle", "my python"), "interpreter_missing", /--python/],
  ] as const;
  for (const [call, code, hint] of refusals)
    expect(call).toThrow(expect.objectContaining({ code, exit: 2, hint: expect.stringMatching(hint) }));
});
