import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import { makeNewRun } from "../../../runs/new-run.ts";
import { changeRun, insertRun, loadRun } from "../../../runs/run-store.ts";
import { closeDesk, type Desk, openDesk } from "../../desk.ts";
import { forwardDue } from "./forward-due.ts";
import { addForward, listDueForwards } from "./forward-list.ts";
import { forwardRun } from "./forward-run.ts";

const folder = useTempFolder();
const at = (...parts: string[]) => join(folder(), ...parts);
const offline = () => readdirSync(at("results", "wandb"));
const ID = "rtest";
let desk: Desk;

/** Stands for a Python with wandb: it makes the folder, tells that it took all rows, and writes down that it was called. */
const PYTHON = `#!/usr/bin/env python3
import json, os, sys
head = json.loads(sys.stdin.readline())
rows = len(sys.stdin.readlines())
with open(os.path.join(os.path.dirname(__file__), "..", "calls"), "a") as calls:
    calls.write("called\\n")
os.makedirs(head["folder"] + "/wandb/offline-run-20260101_000000-${ID}")
print(json.dumps({"rows": rows}))
`;
const writePython = (text: string) => {
  mkdirSync(at("bin"), { recursive: true });
  writeFileSync(at("bin", "python"), text, { mode: 0o755 });
  writeFileSync(at("bin", "wandb"), `#!${at("bin", "python")}\n`, { mode: 0o755 });
};
const readCalls = () => readFileSync(at("calls"), "utf8");

beforeEach(() => {
  const env = { PATH: `${at("bin")}:/usr/bin:/bin`, HOME: folder(), SORTIE_HOME: at("home") };
  desk = openDesk({ env, self: [process.execPath] });
  mkdirSync(at("results"));
  writeFileSync(at("results", "log"), "step 1 loss 2\nstep 2 loss 1\nstep 3 loss 0.5\n");
  const run = makeNewRun({
    ...{ id: ID, name: "test", plan: "p", target: "local", kind: "local", host: "here", git: null },
    request: { command: ["python", "a.py"], cwd: folder(), results: [] } as never,
    environment: { label: "none", python: null },
    ...{ createdAt: "2026-01-01T00:00:00Z", jobFolder: at("job"), notes: [], startIntentAt: null },
    expected: { seconds: null, source: "unknown" },
    launcher: desk.identity,
    wandb: { project: "p", entity: "e", id: ID, mode: "offline", url: "http://127.0.0.1:9", way: "forward" },
  });
  insertRun(desk.store, {
    ...run,
    ...{
      state: "succeeded",
      exitCode: 0,
      startedAt: run.createdAt,
      results: [],
      resultsFolder: at("results"),
    },
  });
});
afterEach(() => closeDesk(desk));

it("makes one offline run, also where two do it at once or a crash lost the record of it", async () => {
  writePython(PYTHON);
  mkdirSync(at("home", "forward", ID, "made", "wandb", `offline-run-half-${ID}`), { recursive: true });
  expect(await Promise.all([forwardRun(desk, ID), forwardRun(desk, ID)])).toEqual([3, 3]);
  expect(offline()).toEqual([`offline-run-20260101_000000-${ID}`]);
  expect(readCalls()).toBe("called\n");
  const { wandb } = loadRun(desk.store, ID);
  expect(wandb?.rows).toBe(3);
  const { rows: _, ...before } = wandb as NonNullable<typeof wandb>;
  changeRun(desk.store, ID, { wandb: before });
  expect(await forwardRun(desk, ID)).toBe(3);
  expect(readCalls()).toBe("called\n");
  expect(readdirSync(at("home", "forward"))).toEqual([]);
});

it.each([
  ["#!/bin/sh\nexec sleep 1000\n", /took longer than 0 s/],
  [
    "#!/bin/sh\ncat >/dev/null\necho 'ModuleNotFoundError: wandb' >&2\nexit 1\n",
    /ModuleNotFoundError: wandb\./,
  ],
  [PYTHON.replace("= len(", "= 1 + len("), /it ended with 0/],
])("leaves nothing where that fails, case %#", async (python, reason) => {
  writePython(python);
  await expect(forwardRun(desk, ID, { timeoutMs: python.includes("sleep") ? 200 : 10_000 })).rejects.toThrow(
    reason,
  );
  expect(existsSync(at("results", "wandb"))).toBe(false);
  expect(readdirSync(at("home", "forward"))).toEqual([]);
  expect(loadRun(desk.store, ID).wandb?.rows).toBeUndefined();
});

it("notes on the run what failed, does not try for ever, and is taken up by `sortie wandb sync`", async () => {
  addForward(desk, ID, null);
  addForward(desk, "rgone", null);
  await forwardDue(desk);
  expect(loadRun(desk.store, ID).notes).toEqual([
    "W&B: its numbers were not forwarded: There is no program `wandb` on this machine: it uploads offline runs; `sortie wandb sync test` does it",
  ]);
  expect(listDueForwards(desk)).toEqual([]);
  writePython(PYTHON);
  expect(await forwardRun(desk, ID)).toBe(3);
});

it("keeps what could not be sent, and notes that", async () => {
  writePython(PYTHON);
  const refuse = "#!/bin/sh\necho 'wandb: ERROR permission denied' >&2\n";
  writeFileSync(at("bin", "wandb"), refuse, { mode: 0o755 });
  const { wandb } = loadRun(desk.store, ID);
  changeRun(desk.store, ID, { wandb: { ...(wandb as NonNullable<typeof wandb>), mode: "online" } });
  addForward(desk, ID, null);
  await forwardDue(desk);
  expect(offline()).toHaveLength(1);
  expect(loadRun(desk.store, ID).notes).toEqual([
    "W&B: its numbers were not sent: permission denied; `sortie wandb sync test` does it",
  ]);
});

it("takes the program that was found when the run was planned, and waits for the next watcher when it must leave", async () => {
  writePython(PYTHON);
  const elsewhere = { ...desk, env: { ...desk.env, PATH: "/usr/bin:/bin" } };
  addForward(desk, ID, at("bin", "wandb"));
  await forwardDue({ ...elsewhere, leaving: AbortSignal.abort() });
  expect(listDueForwards(desk)).toHaveLength(1);
  await forwardDue(elsewhere);
  expect(loadRun(desk.store, ID)).toMatchObject({ notes: [], wandb: { rows: 3 } });
  expect(listDueForwards(desk)).toEqual([]);
});
