import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { openEvents } from "./events-file.ts";

const folder = useTempFolder();

function open(named: string | undefined, env: Record<string, string> = {}) {
  const lines: string[] = [];
  const file = openEvents(named, { env, cwd: folder(), onLog: ({ text }) => lines.push(text) });
  return { file, lines };
}

describe("the events file", () => {
  it("grows by a whole line for each event", async () => {
    writeFileSync(join(folder(), "e.jsonl"), '{"old":1}\n');
    const { file, lines } = open("e.jsonl");
    for (let number = 0; number < 1000; number += 1) file?.add({ number });
    await file?.close();
    const written = readFileSync(join(folder(), "e.jsonl"), "utf8").trimEnd().split("\n");
    expect(written).toHaveLength(1001);
    expect(JSON.parse(written[1000] as string)).toEqual({ number: 999 });
    expect(lines).toEqual([]);
  });

  it("begins on a line of its own where the last one was cut", async () => {
    writeFileSync(join(folder(), "e.jsonl"), '{"old":1}\n{"cu');
    const { file } = open("e.jsonl");
    file?.add({ a: 1 });
    await file?.close();
    expect(readFileSync(join(folder(), "e.jsonl"), "utf8")).toBe('{"old":1}\n{"cu\n{"a":1}\n');
  });

  it("lies in the folder of the run, unless another one is named", async () => {
    const { file } = open(undefined, { SORTIE_RUN_DIR: folder() });
    file?.add({ a: 1 });
    await file?.close();
    expect(readFileSync(join(folder(), "agent.jsonl"), "utf8")).toBe('{"a":1}\n');
    expect(open(undefined).file).toBeUndefined();
  });

  it("is a mistake where it was named and cannot be written", () => {
    mkdirSync(join(folder(), "place"));
    execFileSync("mkfifo", [join(folder(), "pipe")]);
    for (const named of ["place", "no/such/folder/e", "pipe"])
      expect(() => open(named)).toThrow(/The events cannot be written to/);
  });

  it("is done without where the folder of the run cannot be written", () => {
    const { file, lines } = open(undefined, { SORTIE_RUN_DIR: join(folder(), "gone") });
    expect(file).toBeUndefined();
    expect(lines).toEqual([expect.stringContaining("no events")]);
  });

  it("says once that a full disk takes no more, and goes on", async () => {
    const { file, lines } = open("/dev/full");
    file?.add({ a: 1 });
    await waitFor(() => lines.length > 0, { what: "the warning" });
    file?.add({ a: 2 });
    await file?.close();
    expect(lines).toEqual([expect.stringMatching(/events are lost: .*the agent goes on/)]);
  });
});
