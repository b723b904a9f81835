import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { rehearseFixture } from "../support/short-rehearsal.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { waitFor } from "../support/wait-for.ts";

const folder = useTempFolder();
const countServers = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === "TCPServerWrap").length;
const throwIt = () => {
  throw new RangeError("it broke");
};

it.each([
  ["before its gateway is there", { clock: { ...systemClock, now: throwIt } }],
  ["when its gateway is there", { onProgress: throwIt }],
])("a rehearsal that breaks %s leaves no folder, no gateway and no process", async (_, broken) => {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder();
  try {
    await expect(rehearseFixture({ agent: "right.mjs" }, broken)).rejects.toThrow("it broke");
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
  expect([readdirSync(folder()), findOwnProcesses()]).toEqual([[], []]);
  await waitFor(() => countServers() === 0, { what: "the end of the gateway" });
});

it("an agent whose log cannot be written is told as not started, and the others end", async () => {
  mkdirSync(join(folder(), "agent-2.log"));
  const { checks, passed } = await rehearseFixture(
    { agent: "right.mjs" },
    { agents: 2, keepFolder: folder(), limits: { loadMs: 3_000 } },
  );
  expect(passed).toBe(false);
  const { ok, detail } = checks.find(({ name }) => name === "starts") ?? {};
  expect([ok, detail]).toEqual([
    false,
    expect.stringMatching(/could not be started: its log cannot be written: EISDIR/),
  ]);
  await waitFor(() => countServers() === 0, { what: "the end of the gateway" });
  expect(findOwnProcesses()).toEqual([]);
});
