import { existsSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { quoteShell } from "../../src/base/quote.ts";
import { useContractStage } from "../support/contract-stage.ts";
import { useSshd } from "../support/sshd.ts";
import { findWorkProcesses } from "../support/target-places.ts";
import { waitFor } from "../support/wait-for.ts";

const sshd = useSshd();
const stage = useContractStage(sshd);
const COMMAND = ["--", "sh", "-c", "mkdir -p results; python -c 'import alpha' && echo 1 >results/one"];
const RUN = ["run", "--yes", "--gpus", "none", "--name", "mine"];
const countBuilds = () => stage.listEnvs().filter((name) => name !== "train").length;
const begin = (args: readonly string[]) => stage.begin(args);
const isBuilding = () => existsSync(stage.onHost("building"));
const goOn = () => writeFileSync(stage.onHost("go"), "");
const show = (name: string) => stage.ask(["show", name]);

/** A project whose environment is not built until `goOn`. */
function writeProject() {
  stage.addWheel({ name: "alpha", version: "1.0" });
  stage.write({ "train.py": "import alpha" });
  stage.writePlaces();
  const [started, go] = [stage.onHost("building"), stage.onHost("go")].map(quoteShell);
  const wait = `echo built >>${started}; until [ -e ${go} ]; do sleep 0.05; done`;
  const smoke = { import_names: ["alpha"] };
  stage.writeSpec({ pip_phases: [stage.makePhase("alpha")], run_commands: [wait], smoke });
}

async function waitForBuild() {
  await waitFor(isBuilding, { timeoutMs: 30_000, what: "the build" });
}

/** All that a build starts bears its mark in its environment; its shells are called by these words. */
const listBuilders = () =>
  findWorkProcesses().filter(({ command }) => /until \[ -e|sh -s \w{16}/.test(command));

afterEach(() => sshd().proxy.onDial("pass"));

describe("the connection is cut in the middle of a build", () => {
  it("and comes back: the run goes on with that build", async () => {
    writeProject();
    const run = begin([...RUN, ...COMMAND]);
    await waitForBuild();
    expect(await show("mine")).toMatchObject({ state: "preparing", reachable: true });
    expect((await stage.ask(["ls"])).runs).toMatchObject([{ name: "mine", state: "preparing" }]);
    expect(await stage.ask(["env", "check", "--target", "box"])).toMatchObject({ exit: 1, building: true });
    const doctor = await stage.run(["doctor"]);
    expect(doctor.stdout).toMatch(/there contract +train@[0-9a-f]{8}: it is being built right now/);
    sshd().proxy.cut();
    sshd().proxy.onDial("reset");
    const { dialed } = sshd().proxy;
    await waitFor(() => sshd().proxy.dialed > dialed, { what: "another try" });
    expect(await show("mine")).toMatchObject({ state: "preparing", reachable: false });
    sshd().proxy.onDial("pass");
    goOn();
    expect(await run.exitCode, run.readOutput()).toBe(0);
    expect(countBuilds()).toBe(1);
    expect(await stage.finish("mine")).toMatchObject({ state: "succeeded" });
  });

  it("and stays away: the run has failed, the build goes on, and the next run uses it", async () => {
    writeProject();
    const run = begin([...RUN, ...COMMAND]);
    await waitForBuild();
    sshd().proxy.cut();
    sshd().proxy.onDial("reset");
    expect(await run.exitCode).toBe(5);
    expect(run.readOutput()).toMatch(/box cannot be reached/);
    expect(listBuilders()).not.toEqual([]);
    expect(await show("mine")).toMatchObject({ state: "failed", endReason: "launch_failed" });
    sshd().proxy.onDial("pass");
    const next = begin(["run", "--yes", "--gpus", "none", "--name", "next", ...COMMAND]);
    await waitFor(() => /build of another/.test(next.readOutput()), { timeoutMs: 20_000, what: "the build" });
    goOn();
    expect(await next.exitCode, next.readOutput()).toBe(0);
    expect(countBuilds()).toBe(1);
    expect(await stage.finish("next")).toMatchObject({ state: "succeeded" });
  });
});

describe("a build is called off", () => {
  it("by Ctrl-C on `sortie env build`: nothing of it is left on the host, and the next one builds anew", async () => {
    writeProject();
    const build = begin(["env", "build", "--target", "box", "--yes"]);
    await waitForBuild();
    build.kill("SIGINT");
    expect(await build.exitCode).toBe(130);
    expect(build.readOutput()).toMatch(/^Called off\.$/m);
    expect(listBuilders()).toEqual([]);
    expect(stage.listEnvs()).toEqual([]);
    goOn();
    expect(await stage.ask(["env", "build", "--target", "box", "--yes"])).toMatchObject({ exit: 0 });
    expect(stage.listEnvs()).toEqual(["train", expect.stringMatching(/-2$/)]);
  });

  it("by a stop of the run that it is made for", async () => {
    writeProject();
    const run = begin([...RUN, ...COMMAND]);
    await waitForBuild();
    expect(await stage.ask(["stop", "mine"])).toMatchObject({ exit: 0, state: "stopped" });
    expect(await run.exitCode).toBe(1);
    expect(run.readOutput()).toMatch(/It was stopped as asked/);
    expect(listBuilders()).toEqual([]);
    expect(stage.listEnvs()).toEqual([]);
    expect(await show("mine")).toMatchObject({ state: "stopped", endReason: "stopped" });
  });

  it("not by Ctrl-C on one that follows it", async () => {
    writeProject();
    const first = begin(["env", "build", "--target", "box", "--yes"]);
    await waitForBuild();
    const second = begin(["env", "build", "--target", "box", "--yes"]);
    await waitFor(() => /build of another/.test(second.readOutput()), {
      timeoutMs: 20_000,
      what: "a follower",
    });
    second.kill("SIGINT");
    expect(await second.exitCode).toBe(130);
    goOn();
    expect(await first.exitCode, first.readOutput()).toBe(0);
    expect(countBuilds()).toBe(1);
  });
});
