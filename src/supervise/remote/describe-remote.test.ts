import { expect, it } from "vitest";
import type { ServerFacts } from "../../targets/target.ts";
import type { RemoteTerms } from "../plan.ts";
import { describeRemoteNotes, describeSync } from "./describe-remote.ts";

const address = { destination: "box", user: null, port: null, options: [], pinsKeys: false };
const sync = { kind: "rsync", files: 12_000, bytes: 5_000 };
const remote = { address, codeDir: "/code", folder: "/code", freeze: false, sync } as unknown as RemoteTerms;
const server = {
  ...{ liveRuns: [], banner: null, clockSkewS: 0, killsAtLogout: null, tools: { screen: "4.09" } },
} as unknown as ServerFacts;

it("says how much is sent, and that a run with --freeze starts in a copy", () => {
  const sent = "send 12,000 files (5.0 kB) to box:/code by rsync; nothing there is deleted";
  expect(describeSync(remote, "box")).toEqual([sent]);
  expect(describeSync({ ...remote, freeze: true }, "box")).toEqual([
    sent,
    "copy that code into the job folder: the command starts in the copy",
  ]);
});

it("names live runs that the new code will reach, also where this one has a copy of its own", () => {
  const known = [{ id: "r1", name: "night" }];
  for (const freeze of [false, true]) {
    const notes = describeRemoteNotes({ ...remote, freeze }, { ...server, liveRuns: ["r1", "r2"] }, known);
    expect(notes).toEqual([expect.stringMatching(/^the code folder is in use by night, r2, which will see/)]);
  }
});

it("has a note for a talkative shell, a clock that is off, no screen, and an end at logout", () => {
  const habits = { banner: "hello", clockSkewS: -10_800, killsAtLogout: "no_way_round", tools: {} } as const;
  const odd = { ...server, ...habits };
  expect(describeRemoteNotes(remote, odd, [])).toEqual([
    'the shell of box prints "hello" at every command; it is skipped',
    "the clock of box is 3 h 00 min behind",
    expect.stringContaining("box has no screen"),
    expect.stringContaining("box ends what you started when you log out (KillUserProcesses)"),
  ]);
  expect(describeRemoteNotes(remote, server, [])).toEqual([]);
});
