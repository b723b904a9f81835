import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { quoteShell } from "../../src/base/quote.ts";
import { useContractStage } from "../support/contract-stage.ts";
import { makeSlowBuild } from "../support/slow-build.ts";
import { useSshd } from "../support/sshd.ts";
import { waitFor } from "../support/wait-for.ts";

const sshd = useSshd();
const stage = useContractStage(sshd);
const { writeProject, waitForBuild, goOn, countBuilds, listBuilders } = makeSlowBuild(stage);
const COMMAND = ["--", "sh", "-c", "mkdir -p results; python -c 'import alpha' && echo 1 >results/one"];
const RUN = ["run", "--yes", "--gpus", "none", "--name", "mine", ...COMMAND];
const BUILD = ["env", "build", "--target", "box", "--yes"];
const show = (name: string) => stage.ask(["show", name]);

afterEach(() => sshd().proxy.onDial("pass"));

describe("the connection is cut", () => {
  it("in the middle of a build, and comes back: the run goes on with that build", async () => {
    writeProject();
    const run = stage.begin(RUN);
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
});

describe("a documented command, which may take long, ends on its host", () => {
  const endings: [string, (run: ReturnType<typeof stage.begin>) => unknown, RegExp][] = [
    ["with the connection", () => sshd().proxy.cut(), /The connection to box was lost/],
    ["with a stop of its run", () => stage.ask(["stop", "mine"]), /It was stopped as asked/],
    ["with its launcher", (run) => run.kill("SIGKILL"), /^/],
  ];

  it.each(endings)("%s", async (_, end, words) => {
    writeProject();
    mkdirSync(stage.onHost());
    goOn();
    const mark = stage.onHost("documented");
    stage.write({
      "README.md": `\`\`\`sh sortie-check\necho $$ >${quoteShell(mark)}; exec sleep 300\n\`\`\`\n`,
    });
    const run = stage.begin(RUN);
    // It is started without the mark by which processes of tests are known.
    const pid = await waitFor(() => existsSync(mark) && Number(readFileSync(mark, "utf8")), {
      timeoutMs: 40_000,
    });
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    await end(run);
    expect(await run.exitCode).not.toBe(0);
    expect(run.readOutput()).toMatch(words);
    await waitFor(() => !existsSync(`/proc/${pid}`), { timeoutMs: 20_000, what: "the end of it" });
    expect(["failed", "stopped"]).toContain((await show("mine")).state);
  });
});

describe("a build is called off", () => {
  it("by Ctrl-C on `sortie env build`: nothing of it is left on the host, and the next one builds anew", async () => {
    writeProject();
    const build = stage.begin(BUILD);
    await waitForBuild();
    build.kill("SIGINT");
    expect(await build.exitCode).toBe(130);
    expect(build.readOutput()).toMatch(/^Called off\.$/m);
    expect(listBuilders()).toEqual([]);
    expect(stage.listEnvs()).toEqual([]);
    goOn();
    expect(await stage.ask(BUILD)).toMatchObject({ exit: 0 });
    expect(stage.listEnvs()).toEqual(["train", expect.stringMatching(/-2$/)]);
  });

  it("by Ctrl-C on `sortie run`: nothing of the build is left, and nothing runs", async () => {
    writeProject();
    const run = stage.begin(RUN);
    await waitForBuild();
    run.kill("SIGINT");
    expect(await run.exitCode).not.toBe(0);
    expect(listBuilders()).toEqual([]);
    expect(stage.listEnvs()).toEqual([]);
    expect(await show("mine")).toMatchObject({ state: "stopped", endReason: "stopped" });
    await waitFor(async () => (await show("mine")).collected, { timeoutMs: 20_000, what: "it at home" });
  });

  it("by a stop of the run that it is made for", async () => {
    writeProject();
    const run = stage.begin(RUN);
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
    const first = stage.begin(BUILD);
    await waitForBuild();
    const second = stage.begin(BUILD);
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
