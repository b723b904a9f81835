import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import { makeSendList } from "../../../sync/send/send-list.ts";
import type { FleetRunner } from "../fleet.ts";
import { checkRunnerIsSent, placeRunner } from "./place-runner.ts";

const folder = useTempFolder();
const place = { projectFolder: "/home/ann/my project", cwd: "/home/ann/my project/eval" };
const serve = (handler: string): FleetRunner => ({ kind: "handler", handler, python: null });
const script = (path: string): FleetRunner => ({ kind: "script", path });

it.each([
  ["policy:handle", "policy:handle"],
  ["../policy:Model.handle", "../policy:Model.handle"],
  ["/home/ann/my project/policy.py:handle", "../policy.py:handle"],
  ["./policy.mjs", "policy.mjs"],
  ["/home/ann/my project/eval/a/policy.mjs:serve", "a/policy.mjs:serve"],
])("names the handler %s from where the agents start: %s", (handler, named) => {
  expect(placeRunner(serve(handler), place)).toEqual(serve(named));
});

it.each([
  ["/home/ann/my project/eval/run.sh", "./run.sh"],
  ["/home/ann/my project/scripts/tunnel.sh", "../scripts/tunnel.sh"],
])("names the script %s so: %s", (path, named) => {
  expect(placeRunner(script(path), place)).toEqual(script(named));
});

it.each([
  serve("/opt/policy.py:handle"),
  serve("../../policy:handle"),
  serve("/home/ann/my project 2/policy.mjs"),
  script("/home/ann/tunnel.sh"),
])("refuses %j, which does not lie in the project", (runner) => {
  expect(() => placeRunner(runner, place)).toThrow(
    expect.objectContaining({ code: "fleet_runner_elsewhere", exit: 2 }),
  );
});

it("refuses what lies here and is not sent; a module that does not may be installed there", () => {
  const cwd = folder();
  mkdirSync(join(cwd, "model"));
  for (const name of ["policy.py", "policy.mjs", "run.sh", "model/serve.py"])
    writeFileSync(join(cwd, name), "");
  const check = (runner: FleetRunner, ...sent: string[]) => {
    const files = sent.map((path) => ({
      ...{ path: Buffer.from(path), bytes: 0, mode: 0o644 as const, link: null, sha256: "" },
    }));
    checkRunnerIsSent(runner, { cwd, projectFolder: cwd }, makeSendList(cwd, files));
  };
  const refused = expect.objectContaining({ code: "fleet_runner_unsent" });
  for (const runner of [
    serve("policy:handle"),
    serve("policy.mjs"),
    serve("model.serve:handle"),
    script("./run.sh"),
  ])
    expect(() => check(runner, "other.py")).toThrow(refused);
  check(serve("policy:handle"), "policy.py");
  check(serve("policy.mjs"), "policy.mjs");
  check(serve("model.serve:handle"), "model/serve.py");
  check(script("./run.sh"), "run.sh");
  check(serve("installed.policy:handle"), "other.py");
});
