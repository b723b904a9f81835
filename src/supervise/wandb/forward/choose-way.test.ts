import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import type { ScriptDraft } from "../draft-script.ts";
import type { WandbDraft } from "../prepare-wandb.ts";
import { chooseWay, settleForward } from "./choose-way.ts";

const folder = useTempFolder();
const CHANGE = { kind: "change", terms: { removed: 0 } } as ScriptDraft;
const OURS = { kind: "change", terms: { removed: 9 } } as ScriptDraft;
const REFUSED: ScriptDraft = { kind: "refused", name: "a.py", reason: "it has no loop", line: 1 };
const DONE: ScriptDraft = { kind: "done", name: "a.py", by: "wandb.init()", line: 3 };
const makeDraft = (script: ScriptDraft | null, way: "script" | "forward", mode?: string) =>
  ({ script, way, given: { WANDB_MODE: mode }, url: "http://127.0.0.1:9" }) as unknown as WandbDraft;

it.each([
  [CHANGE, "script", { isMissing: false }, "script"],
  [CHANGE, "script", { isMissing: true }, "forward"],
  [CHANGE, "forward", { isMissing: false }, "forward"],
  [OURS, "forward", { isMissing: false }, "forward"],
  [REFUSED, "script", { isMissing: false }, "forward"],
  [REFUSED, "script", { isMissing: false, mode: "disabled" }, "own"],
  [DONE, "script", { isMissing: true }, "own"],
  [DONE, "forward", { isMissing: false }, "forward"],
  [null, "script", { isMissing: false }, "own"],
  [null, "forward", { isMissing: false }, "forward"],
] as const)("case %#: a script of which %j, asked for %s", (script, way, { isMissing, ...rest }, chosen) => {
  const draft = makeDraft(script, way, "mode" in rest ? rest.mode : undefined);
  const ground = { isMissing, pythonHere: null };
  const wandb = join(folder(), "wandb");
  const here = { env: { PATH: folder() } };
  const without = chooseWay(here, draft, ground);
  // Without a program that could forward them, nobody's script is changed who did not want that.
  const left = script === DONE || script === OURS ? "own" : "none";
  expect(without).toMatchObject({ way: chosen === "forward" ? left : chosen, forwarder: null });
  writeFileSync(wandb, "", { mode: 0o755 });
  const isForward = chosen === "forward";
  expect(chooseWay(here, draft, ground)).toEqual({
    ...{ way: chosen, isWanted: isForward, forwarder: isForward ? wandb : null },
  });
});

it.each([
  [undefined, "netrc", "online"],
  [undefined, null, "offline"],
  ["offline", "netrc", "offline"],
] as const)("with WANDB_MODE %s and a key in %s it is %s", (mode, login, chosen) => {
  const settled = settleForward(makeDraft(REFUSED, "script", mode), login);
  expect(settled).toMatchObject({ mode: chosen, login, carried: [] });
});
