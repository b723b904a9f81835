import { copyFileSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHECKOUT, startJob, useContestant } from "../support/contestant.ts";
import { makeGpuFreeEnv } from "../support/fake-gpus.ts";
import { findFewShells } from "../support/shells.ts";

const contestant = useContestant();
const SCRIPT = join(CHECKOUT, "scripts", "tunnel.sh");
const JOB = "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b";
/** Nobody listens there. */
const NOWHERE = "ws://127.0.0.1:1/api/challenge/tunnel";
/** A handler that is not there ends an agent before it dials. */
const NO_HANDLER = { SORTIE_HANDLER: "no_such_module:handle", JOB_TOKEN: "t" };

const call = (args: readonly string[], env: Record<string, string | undefined> = {}) =>
  contestant.run([SCRIPT, ...args], { env });

/** What an agent says of itself, each line behind the time and its own mark. */
const findLine = (output: string, pattern: RegExp) => output.split("\n").find((line) => pattern.test(line));

describe("scripts/tunnel.sh", () => {
  it.each(findFewShells())("serves a job to its drain under %s", async (shell) => {
    const { job, state } = await startJob();
    const argv = [...shell.split(" "), SCRIPT, "1", state.JOB_UUID, state.TUNNEL_ENDPOINT];
    const { exitCode, output } = await contestant.run(argv, { env: { JOB_TOKEN: state.JOB_TOKEN } });
    expect(exitCode, output).toBe(0);
    expect(output).toMatch(/^SORTIE_HANDLER is not set: the sample answers/);
    expect((await job.ended).cases.every((played) => played.result?.score === 1)).toBe(true);
    await contestant.waitUntilQuiet();
  });

  it("says first which Python it takes, and never shows a token", async () => {
    const { output } = await call(["cpu", JOB, NOWHERE], { ...NO_HANDLER, JOB_TOKEN: "very-secret" });
    expect(output.split("\n")[0]).toMatch(/^\S+Z \[\w{8}\] the handler runs in \/.*python3? \(on PATH\)$/);
    expect(output).not.toContain("very-secret");
  });

  it("is called from any folder, also by a link", async () => {
    const link = join(contestant.temp(), "my tunnel");
    symlinkSync(SCRIPT, link);
    const { output } = await contestant.run([link, "cpu", JOB, NOWHERE], {
      env: NO_HANDLER,
      cwd: contestant.temp(),
    });
    expect(output).toContain("no_such_module");
  });

  it.each([
    ["no arguments", [], /^error: A GPU, a job and a gateway belong here\.\nWrite: scripts\/tunnel\.sh 0/],
    ["an empty GPU", ["", JOB, NOWHERE], /error: The GPU cannot be empty/],
    ["a GPU that is none", ["one", JOB, NOWHERE], /error: The GPU cannot be one: it is neither/],
    [
      "a GPU that this host does not have",
      ["7", JOB, NOWHERE],
      /error: The host has no GPU 7; it has 0 .*, 1/,
    ],
    [
      "an empty job",
      ["0", "", NOWHERE],
      /error: There is no job: .*\nSubmit a job, .*: sortie challenge submit/,
    ],
    [
      "the job and the gateway in each other's place",
      ["0", NOWHERE, JOB],
      /is not the UUID of a job: that is an address/,
    ],
    [
      "the id of the job in place of its UUID",
      ["0", "17", NOWHERE],
      /is not the UUID of a job: that is a number/,
    ],
    ["a gateway that is none", ["0", JOB, "http://127.0.0.1:1/"], /error: http.* write ws:\/\/ instead/],
    ["an option that is none", ["0", JOB, NOWHERE, "--no-such"], /error: Unknown option '--no-such'/],
  ])("ends with 1 and one message over %s", async (_, args, message) => {
    const { exitCode, output } = await call(args, { JOB_TOKEN: "t", SORTIE_HANDLER: "x:y" });
    expect(exitCode).toBe(1);
    expect(output).toMatch(message);
    expect(output.match(/^error: /gm)).toHaveLength(1);
    expect(output).not.toMatch(/^ +at /m);
  });

  it("names both tokens that it looked for where it has none", async () => {
    const { exitCode, output } = await call(["0", JOB, NOWHERE], { SORTIE_HANDLER: "x:y" });
    expect(exitCode).toBe(1);
    expect(output).toMatch(/error: No token .*\nLog in, .*: sortie challenge login; .* JOB_TOKEN/);
  });

  it("refuses an index on a machine without nvidia-smi, and names cpu", async () => {
    const bare = makeGpuFreeEnv(contestant.temp());
    const path = join(bare["PATH"] as string);
    for (const name of ["node", "python3", "readlink", "dirname"])
      symlinkSync(await findProgram(name), join(path, name));
    const { exitCode, output } = await call(["0", JOB, NOWHERE], { ...NO_HANDLER, ...bare });
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /error: GPU 0 was asked for, but there is none here: .*nvidia-smi.*\nChoose `cpu`/,
    );
  });

  it("says who has a GPU that is taken", async () => {
    const { state, waitForEvents } = await startJob({
      simulator: (_, __, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve({ score: 0, steps: 0 }))),
    });
    contestant.writeState(state);
    const first = contestant.start([SCRIPT, "0", state.JOB_UUID, state.TUNNEL_ENDPOINT]);
    await waitForEvents("session_opened", 1);
    const { exitCode, output } = await call(["0", state.JOB_UUID, state.TUNNEL_ENDPOINT]);
    expect(exitCode).toBe(1);
    expect(output).toMatch(/error: No free GPU for this agent: GPU 0 held by agent \w+ of \S+ since/);
    first.signal("SIGTERM");
    expect(await first.ended).toEqual({ exitCode: 143, signal: null });
  });

  it("takes the gateway of the variable, else of the state file, else the fixed one, and says which", async () => {
    const gateway = async (env: Record<string, string>) =>
      findLine((await call(["cpu", JOB, ""], { ...NO_HANDLER, ...env })).output, /gateway ws/);
    contestant.writeState({ JOB_UUID: JOB, TUNNEL_ENDPOINT: "ws://127.0.0.1:2/file" });
    expect(await gateway({ SIMUBOTIX_GATEWAY_URL: "ws://127.0.0.1:3/env" })).toMatch(
      /gateway ws:\/\/127\.0\.0\.1:3\/env \(from SIMUBOTIX_GATEWAY_URL\)/,
    );
    expect(await gateway({})).toMatch(/gateway ws:\/\/127\.0\.0\.1:2\/file \(TUNNEL_ENDPOINT of .*env\)/);
    contestant.writeState({ JOB_UUID: "another-job", TUNNEL_ENDPOINT: "ws://127.0.0.1:2/file" });
    expect(await gateway({})).toMatch(/gateway ws:\/\/[\d.]+\/api\/challenge\/tunnel \(the fixed default/);
  });

  it("names the command that builds it where it is not built", async () => {
    const checkout = join(contestant.temp(), "ann's own copy");
    mkdirSync(join(checkout, "scripts"), { recursive: true });
    const copy = join(checkout, "scripts", "tunnel.sh");
    copyFileSync(SCRIPT, copy);
    const { exitCode, output } = await contestant.run(["sh", copy, "0", "", ""]);
    expect(exitCode).toBe(1);
    const build =
      /^error: The agent is not built yet\.\nBuild it with: (cd .*) && npm ci && npm run build\n$/;
    expect(output).toMatch(build);
    const entered = await contestant.run(["sh", "-c", `${build.exec(output)?.[1]} && pwd -P`]);
    expect(entered.output.trim()).toBe(realpathSync(checkout));
  });

  it("refuses a Node.js that is too old", async () => {
    const programs = join(contestant.temp(), "old");
    mkdirSync(programs);
    writeFileSync(join(programs, "node"), "#!/bin/sh\necho v18.20.0\n", { mode: 0o755 });
    const { exitCode, output } = await call(["0", JOB, NOWHERE], {
      PATH: `${programs}:${process.env["PATH"]}`,
    });
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^error: Node\.js v18\.20\.0 is on PATH, which is too old\./);
  });

  it("says what keeps a Node.js from starting", async () => {
    const { exitCode, output } = await call(["0", JOB, NOWHERE], { NODE_OPTIONS: "--no-such-option" });
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^error: Node\.js on PATH does not start: .*--no-such-option.*\n.*\n$/);
  });
});

async function findProgram(name: string): Promise<string> {
  return (await contestant.run(["sh", "-c", `readlink -f "$(command -v ${name})"`])).output.trim();
}
