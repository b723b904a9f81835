import { expect, test } from "vitest";
import { readApps, readNames, readVolumeEntries, readWorkspace } from "./read-answers.ts";
import { findAppArguments, makeRunArguments, readRunOutput } from "./run-modal.ts";

const CALL = {
  app: "train.py",
  function: null,
  args: [],
  takes: "any",
  detach: true,
  name: "sortie-r1",
} as const;
const START = ["modal", "run", "--detach", "--name", "sortie-r1"];

test.each([
  [{}, [...START, "train.py"]],
  [{ function: "train", args: ["--lr", "1"] }, [...START, "train.py::train", "--", "--lr", "1"]],
  [{ takes: "options" as const, args: ["--lr", "1"] }, [...START, "train.py", "--lr", "1"]],
  [{ app: "pkg.app", detach: false }, ["modal", "run", "--name", "sortie-r1", "-m", "pkg.app"]],
])("starts %j", (parts, argv) => {
  expect(makeRunArguments({ ...CALL, ...parts })).toEqual(argv);
});

test.each([
  [
    ["python", "train.py", "--lr", "1"],
    ["--lr", "1"],
  ],
  [["/opt/bin/python3.11", "./train.py"], []],
  [["train.py", "x"], ["x"]],
  [
    ["--lr", "1"],
    ["--lr", "1"],
  ],
  [
    ["python", "other.py"],
    ["python", "other.py"],
  ],
])("passes of %j the arguments %j", (command, args) => {
  expect(findAppArguments(command, "train.py")).toEqual(args);
});

test("reads what a run prints", () => {
  const page = "https://modal.com/apps/me/main/ap-0123456789abcdefghijkl";
  const started = `✓ Initialized. View run at ${page}\nepoch 1\n`;
  expect(readRunOutput(started)).toEqual({ appId: "ap-0123456789abcdefghijkl", page, isLeft: false });
  expect(readRunOutput(`${started}The detached App will keep running. You can`)).toMatchObject({
    isLeft: true,
  });
  expect(readRunOutput("Error: no")).toEqual({ appId: null, page: null, isLeft: false });
});

test("reads the lists of several versions", () => {
  const now = [
    ...["app_id", "description", "state", "tasks", "created_at", "stopped_at"].map(
      (key) => [key, null] as const,
    ),
  ];
  const row = {
    ...Object.fromEntries(now),
    app_id: "ap-1",
    description: "sortie-r1",
    state: "ephemeral (detached)",
  };
  const created = { created_at: "2026-11-30 10:04:05+00:00", tasks: "1" };
  expect(readApps(JSON.stringify([{ ...row, ...created }]))).toEqual([
    {
      ...{ id: "ap-1", name: "sortie-r1", state: "running", says: "ephemeral (detached)", tasks: 1 },
      ...{ startedAt: new Date("2026-11-30T10:04:05Z"), stoppedAt: null },
    },
  ]);
  const older = 'warning: [old]\n[{"App ID": "ap-2", "State": "stopped", "Tasks": "0"}]\n';
  expect(readApps(older)).toMatchObject([{ id: "ap-2", state: "stopped", tasks: 0 }]);
  expect(readNames('[{"name": "a"}, {"Name": "b"}]')).toEqual(["a", "b"]);
  expect(readVolumeEntries('[{"filename": "results/r1", "type": "dir", "size": 0}]')).toEqual([
    { path: "results/r1", kind: "dir", bytes: 0 },
  ]);
  expect(readWorkspace("Token: ak-1\nWorkspace: me (wo-1)\n")).toBe("me");
  for (const bad of ["", "{}", "[1]", '[{"name": 1}]', "Internal error"]) expect(readNames(bad)).toBeNull();
});
