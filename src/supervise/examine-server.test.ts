import { expect, it } from "vitest";
import type { Preflight, ServerFacts } from "../targets/target.ts";
import type { ChosenTarget } from "./choose-target.ts";
import { describeAnswer } from "./examine-server.ts";

const TOOLS = { rsync: "3.2.7", git: "2.39.2", sha256sum: "", setsid: "", flock: "", screen: "4.09.00" };

function examine(
  facts: Partial<ServerFacts>,
  codeSync: "rsync" | "git" = "rsync",
  more: Partial<Preflight> = {},
) {
  const server = {
    ...{ hostName: "gpu1", home: "/home/me", loginShell: "/bin/fish", banner: null, tools: TOOLS },
    ...{ disks: [{ path: "/home/me/code", freeKib: 9_000_000, freeInodes: null }], clockSkewS: 1 },
    ...{ killsAtLogout: null, checkout: [], nodes: [], unwritable: [], liveRuns: [] },
    ...facts,
  };
  const answer = { gpus: null, missing: [], environment: null, server, ...more } as unknown as Preflight;
  const chosen = { section: { name: "box" }, settings: { codeSync } } as unknown as ChosenTarget;
  return describeAnswer(answer, chosen).map(({ what, level, detail }) => `${level} ${what}: ${detail}`);
}

it("a host that lacks nothing is told in a few lines", () => {
  expect(examine({})).toEqual([
    "ok box: answers as gpu1, login shell /bin/fish",
    "ok box tools: rsync 3.2.7, sha256sum, setsid, flock, screen 4.09.00",
    "ok box disk: /home/me/code: 9.2 GB free",
  ]);
});

it.each([
  [{ tools: { git: "2", shasum: "", perl: "" } }, "rsync", /bad box tools: no rsync: code is sent with it/],
  [{ tools: { git: "2", shasum: "", perl: "" } }, "git", /^warning box tools: no screen:/],
  [{ clockSkewS: -10_800 }, "rsync", /warning box host: its clock is 3 h.* behind/],
  [{ banner: "Welcome!" }, "rsync", /warning box host: its shell prints "Welcome!" at every command/],
  [{ killsAtLogout: "no_way_round" }, "rsync", /bad box host: it ends what you started when you log out/],
  [{ killsAtLogout: "scope" }, "rsync", /ok box host: .* a scope of their own/],
  [{ unwritable: ["/home/me/code"] }, "rsync", /bad box disk: \/home\/me\/code cannot be written/],
  [
    { disks: [{ path: "/h", freeKib: 500_000, freeInodes: null }] },
    "rsync",
    /warning box disk: \/h: 512 MB free/,
  ],
  [
    { disks: [{ path: "/h", freeKib: 9_000_000, freeInodes: 12 }] },
    "rsync",
    /warning box disk: \/h: .* only 12 inodes/,
  ],
] as [Partial<ServerFacts>, "rsync" | "git", RegExp][])("%j with %s", (facts, codeSync, wanted) => {
  const told = examine(facts, codeSync).filter((line) => !line.startsWith("ok box: "));
  expect(told.filter((line) => wanted.test(line))).toHaveLength(1);
});

it("tells what data is not there, and which interpreter was found", () => {
  const told = examine({}, "rsync", {
    missing: ["data/a"],
    environment: { python: { path: "/opt/py", version: "3.10.1" } } as Preflight["environment"],
  });
  expect(told).toContain("bad box data: not there: data/a");
  expect(told).toContain("ok box env: /opt/py 3.10.1");
});
