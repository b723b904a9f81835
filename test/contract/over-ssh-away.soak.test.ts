import { expect, it } from "vitest";
import { useContractStage } from "../support/contract-stage.ts";
import { makeSlowBuild } from "../support/slow-build.ts";
import { useSshd } from "../support/sshd.ts";
import { waitFor } from "../support/wait-for.ts";

const sshd = useSshd();
const stage = useContractStage(sshd);
const { writeProject, waitForBuild, goOn, countBuilds, listBuilders } = makeSlowBuild(stage);
const COMMAND = ["--", "sh", "-c", "mkdir -p results; python -c 'import alpha' && echo 1 >results/one"];
const RUN = ["run", "--yes", "--gpus", "none", "--name", "mine", ...COMMAND];
const show = (name: string) => stage.ask(["show", name]);

it("a connection that is cut in the middle of a build and stays away: the run has failed, the build goes on, and the next run uses it", async () => {
  writeProject();
  const run = stage.begin(RUN);
  await waitForBuild();
  sshd().proxy.cut();
  sshd().proxy.onDial("reset");
  expect(await run.exitCode).toBe(5);
  expect(run.readOutput()).toMatch(/box cannot be reached/);
  expect(listBuilders()).not.toEqual([]);
  expect(await show("mine")).toMatchObject({ state: "failed", endReason: "launch_failed" });
  sshd().proxy.onDial("pass");
  const next = stage.begin(["run", "--yes", "--gpus", "none", "--name", "next", ...COMMAND]);
  await waitFor(() => /build of another/.test(next.readOutput()), { timeoutMs: 20_000, what: "the build" });
  goOn();
  expect(await next.exitCode, next.readOutput()).toBe(0);
  expect(countBuilds()).toBe(1);
  expect(await stage.finish("next")).toMatchObject({ state: "succeeded" });
}, 120_000); // it is tried again for half a minute
