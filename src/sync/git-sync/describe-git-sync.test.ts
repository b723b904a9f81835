import { expect, it } from "vitest";
import { describeGitSync, describeServerStep } from "./describe-git-sync.ts";
import type { GitSyncPlan } from "./plan-git-sync.ts";

const HEAD = "0123456789".repeat(4);
const plan: GitSyncPlan = {
  ...{ root: "/home/me/project", prefix: "", head: HEAD, remoteCommit: HEAD, tree: HEAD },
  branch: {
    ...{
      branch: "main",
      remote: "origin",
      remoteBranch: "exp",
      url: "git@h:r.git",
      pushUrls: ["git@h:r.git"],
    },
  },
  commit: { message: "sync: experiment deployment", author: "T <t@example.org>" },
  files: [
    { path: "a\n\x1b.py", status: "added", bytes: 1200, blob: HEAD, submodule: false },
    { path: "old.py", status: "deleted", bytes: 0, blob: null, submodule: false },
    { path: "sub", status: "changed", bytes: 0, blob: HEAD, submodule: true },
  ],
  leftOut: [{ path: "AGENTS.md", bytes: 871, reason: "secret" }],
  unpushed: { count: 2, newest: [{ commit: HEAD, subject: "try" }] },
  isPushNeeded: true,
  submodules: ["sub"],
};
const clean: GitSyncPlan = {
  ...plan,
  commit: null,
  files: [],
  leftOut: [],
  isPushNeeded: false,
  submodules: [],
};

it("says what is committed and pushed, in printable lines", () => {
  expect(describeGitSync(plan, 2)).toEqual([
    'commit 3 files, 1.2 kB, on main as "sync: experiment deployment" by T <t@example.org>',
    "  added a\\n\\x1b.py (1.2 kB)",
    "  deleted old.py",
    "  and 1 more file",
    "leave out 1 file with a W&B API key: not committed, unchanged here",
    "  AGENTS.md (871 B)",
    "push 3 commits to origin/exp at git@h:r.git",
    "  made before: 0123456789 try",
    "  and 1 more",
  ]);
  expect(describeGitSync(clean)).toEqual([
    "nothing to commit: main is at 0123456789",
    "nothing to push: origin/exp is there already",
  ]);
});

it.each([
  ["clone", plan, "git clone git@h:r.git to /code on gpu, branch exp, with 1 submodule"],
  ["pull", clean, "git pull of origin/exp in /code on gpu, to this commit alone"],
  ["nothing", clean, "nothing to pull: /code on gpu is at this commit"],
] as const)("says what a %s does on a server", (action, of, line) => {
  const step = { action, remote: "origin", below: "" };
  expect(describeServerStep(of, step, { host: "gpu", codeDir: "/code" })).toBe(line);
});
