import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeCases, startJob, useContestant } from "../support/contestant.ts";
import { makeFakeUuid } from "../support/fake-gpus.ts";
import { SORTIE } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const contestant = useContestant();

/** A handler whose file is the text; answers what `--handler` is to be. */
function writeHandler(text: string): string {
  return `${contestant.writeScript("my_handler.py", text)}:handle`;
}

const ECHO = "def handle(session_id, frame):\n    return frame\n";

const makeCall = (state: Record<string, string>, handler: string, more: readonly string[] = []) => [
  ...[
    SORTIE,
    "agent",
    "--job-uuid",
    state["JOB_UUID"] ?? "",
    "--gateway-url",
    state["TUNNEL_ENDPOINT"] ?? "",
  ],
  ...["--handler", handler, ...more],
];

type Running = Awaited<ReturnType<typeof startJob>>;

/** A job of one session that asks again and again until it is drained. */
const startEndless = (): Promise<Running> =>
  startJob({
    cases: makeCases(1),
    simulator: async (policy, _, signal) => {
      while (!signal.aborted) await policy.infer(Buffer.from("look"));
      return { score: 1, steps: 1 };
    },
  });

const readLines = (path: string) =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("sortie agent", () => {
  it("tells with --json every event and the end, a line each", async () => {
    const { state } = await startJob();
    const handler = writeHandler(ECHO);
    const env = { JOB_TOKEN: state.JOB_TOKEN };
    const argv = makeCall(state, handler, ["--json", "--gpu", "cpu", "--no-validate"]);
    const { exitCode, output } = await contestant.run(["sh", "-c", '"$@" 2>/dev/null', "sh", ...argv], {
      env,
    });
    expect(exitCode).toBe(0);
    const lines = output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(lines.map(({ schema }) => schema))).toEqual(new Set([1]));
    const states = lines.filter(({ type }) => type === "state").map(({ state: entered }) => entered);
    expect(states.slice(-4)).toEqual(["warmup", "running", "draining", "drained"]);
    expect(lines.filter(({ type }) => type === "frame")).toHaveLength(20);
    expect(lines.at(-1)).toMatchObject({
      ...{ type: "end", outcome: "drained", exitCode: 0, error: null },
      report: { sessions: 4, replies: 20, lost: 0, latency: { handler: { p50: expect.any(Number) } } },
    });
  });

  it.each([
    ["a fault", "no_such_module:handle", "failed", 1, "handler_not_found"],
    ["an interrupt", undefined, "stopped", 143, undefined],
  ])(
    "ends its lines with --json also over %s before the tunnel",
    async (_, named, outcome, exitCode, code) => {
      const place = join(contestant.temp(), "begun");
      const text = `import time\nopen(${JSON.stringify(place)}, "w")\ntime.sleep(300)\n`;
      const state = { JOB_UUID: "a-job", TUNNEL_ENDPOINT: "ws://127.0.0.1:1/" };
      const argv = makeCall(state, named ?? writeHandler(text), ["--json", "--gpu", "cpu"]);
      const log = join(contestant.temp(), "log");
      const agent = contestant.start(["sh", "-c", 'exec "$@" 2>"$0"', log, ...argv], {
        env: { JOB_TOKEN: "t" },
      });
      if (named === undefined) {
        await waitFor(() => existsSync(place), { what: "the import" });
        agent.signal("SIGTERM");
      }
      expect((await agent.ended).exitCode).toBe(exitCode);
      expect(JSON.parse(agent.output())).toEqual({
        ...{ schema: 1, type: "end", outcome, exitCode, report: null },
        error: code === undefined ? null : expect.objectContaining({ code }),
      });
      expect(readFileSync(log, "utf8").match(/^error: /gm) ?? []).toHaveLength(code === undefined ? 0 : 1);
    },
  );

  it("writes its events into the folder of its run, and takes the run's GPU without a lease", async () => {
    const { state } = await startJob();
    const folder = join(contestant.temp(), "run");
    mkdirSync(folder);
    const env = { JOB_TOKEN: state.JOB_TOKEN, SORTIE_RUN_ID: "r1", SORTIE_RUN_DIR: folder };
    const { exitCode, output } = await contestant.run(
      makeCall(state, writeHandler(ECHO), ["--no-validate"]),
      { env },
    );
    expect(exitCode, output).toBe(0);
    expect(output).toContain("GPU: the GPU of the run");
    const frames = readLines(join(folder, "agent.jsonl")).filter(({ type }) => type === "frame");
    expect(frames).toHaveLength(20);
    expect(Object.keys(frames[0])).toEqual(
      expect.arrayContaining(["t", "agentId", "sessionId", "queueMs", "handlerMs", "checkMs", "sendMs"]),
    );
  });

  it("is not hurt by a full disk under its events or its log", async () => {
    const { state } = await startJob();
    const argv = makeCall(state, writeHandler(ECHO), ["--no-validate", "--events", "/dev/full"]);
    const env = { JOB_TOKEN: state.JOB_TOKEN };
    const { exitCode, output } = await contestant.run(argv, { env });
    expect(exitCode, output).toBe(0);
    expect(output).toMatch(/warning: events are lost: .*; the agent goes on/);
    const again = await startJob();
    const call = makeCall(again.state, writeHandler(ECHO), ["--no-validate"]);
    const full = await contestant.run(["sh", "-c", '"$@" 2>/dev/full', "sh", ...call], {
      env: { JOB_TOKEN: again.state.JOB_TOKEN },
    });
    expect(full.exitCode).toBe(0);
  });

  it("takes no other handler for one that was named by an empty variable", async () => {
    const state = { JOB_UUID: "a-job", TUNNEL_ENDPOINT: "ws://127.0.0.1:1/" };
    const env = { JOB_TOKEN: "t", SORTIE_HANDLER: "no_such_module:handle" };
    const { exitCode, output } = await contestant.run(makeCall(state, "", ["--gpu", "cpu"]), { env });
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^error: No handler is named/);
  });

  it("shows its handler one GPU and none of its tokens", async () => {
    const { state } = await startJob({ cases: makeCases(1) });
    const seen = join(contestant.temp(), "seen");
    const handler = writeHandler(
      `import os\nopen(${JSON.stringify(seen)}, "w").write(repr(dict(os.environ)))\n${ECHO}`,
    );
    const env = { ...state, SORTIE_ACCESS_TOKEN: state.JOB_TOKEN, CHALLENGE_PASSWORD: "pass-word" };
    const { exitCode, output } = await contestant.run(
      makeCall(state, handler, ["--gpu", "1", "--no-validate"]),
      { env },
    );
    expect(exitCode, output).toBe(0);
    const text = readFileSync(seen, "utf8");
    expect(text).toContain(`'CUDA_VISIBLE_DEVICES': '${makeFakeUuid(1)}'`);
    expect(text).toContain("'CUDA_DEVICE_ORDER': 'PCI_BUS_ID'");
    expect(text).not.toContain(state.JOB_TOKEN);
    expect(text).not.toContain("pass-word");
  });

  it("hides the token of --access-token from ps as far as it can", async () => {
    const { state, waitForEvents } = await startEndless();
    const agent = contestant.start(makeCall(state, writeHandler(ECHO), ["--access-token", state.JOB_TOKEN]));
    await waitForEvents("reply", 1);
    expect(readFileSync(`/proc/${agent.pid}/cmdline`, "utf8")).not.toContain(state.JOB_TOKEN);
    expect(agent.output()).toMatch(/^warning: others on this machine can read --access-token/);
    agent.signal("SIGTERM");
    expect((await agent.ended).exitCode).toBe(143);
  });
});

describe("a login token", () => {
  /** The challenge's API, which knows one call. */
  async function serveRefresh(reply: object) {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.end(JSON.stringify(reply));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it("that has expired is refreshed once, and the agent goes on", async () => {
    const { state } = await startJob();
    const { asked, url } = await serveRefresh({ token: state.JOB_TOKEN });
    const env = { CHALLENGE_TOKEN: "old.jwt.token", SORTIE_CHALLENGE_URL: url };
    const { exitCode, output } = await contestant.run(
      makeCall(state, writeHandler(ECHO), ["--no-validate"]),
      { env },
    );
    expect(exitCode, output).toBe(0);
    expect(asked).toEqual(["Bearer old.jwt.token"]);
    expect(output).toContain(`${url} refreshed the login token`);
  });

  it("that cannot be refreshed ends the agent with 1 and the likely causes", async () => {
    const { state } = await startJob();
    const { asked, url } = await serveRefresh({ token: null });
    const env = { CHALLENGE_TOKEN: "old.jwt.token", SORTIE_CHALLENGE_URL: url };
    const { exitCode, output } = await contestant.run(makeCall(state, writeHandler(ECHO)), { env });
    expect(exitCode).toBe(1);
    expect(asked).toHaveLength(1);
    expect(output).toMatch(/warning: the login token was not refreshed: .*log in again/);
    expect(output).toMatch(/error: .*401.*\n\S+ \[\w+\] One of four: /);
    expect(output).not.toContain("old.jwt.token");
    await contestant.waitUntilQuiet();
  });
});

describe("a signal", () => {
  it.each([
    ["imports", "import time\nopen(PLACE, 'w')\ntime.sleep(300)\n"],
    [
      "loads",
      "import time\ndef load():\n    open(PLACE, 'w')\n    time.sleep(300)\ndef handle(s, f): return f\n",
    ],
    [
      "works",
      "import time\ndef load(): pass\ndef handle(s, f):\n    open(PLACE, 'w')\n    time.sleep(300)\n",
    ],
    [
      "holds the interpreter",
      "import re\ndef load(): pass\ndef handle(s, f):\n    open(PLACE, 'w').close()\n    re.match('(a+)+b', 'a' * 60)\n",
    ],
  ])("ends an agent whose handler %s", async (_, text) => {
    const { state } = await startEndless();
    const place = join(contestant.temp(), "begun");
    const handler = writeHandler(text.replace("PLACE", JSON.stringify(place)));
    const agent = contestant.start(makeCall(state, handler, ["--gpu", "0"]), {
      env: { JOB_TOKEN: state.JOB_TOKEN },
    });
    await waitFor(() => existsSync(place), { what: "the handler to begin" });
    agent.signal("SIGINT");
    await contestant.waitUntilQuiet();
    expect((await agent.ended).exitCode).toBe(130);
  });

  it("ends an agent that nobody answers", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    server.on("upgrade", (_, socket) => onTestFinished(() => void socket.destroy()));
    const state = {
      JOB_UUID: "j",
      TUNNEL_ENDPOINT: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    };
    const agent = contestant.start(makeCall(state, writeHandler(ECHO)), { env: { JOB_TOKEN: "t" } });
    await agent.waitForOutput("imported");
    agent.signal("SIGTERM");
    await contestant.waitUntilQuiet();
    expect((await agent.ended).exitCode).toBe(143);
  });

  it("that kills leaves neither handler nor lease", async () => {
    const { state, waitForEvents } = await startEndless();
    const call = makeCall(state, writeHandler(ECHO), ["--gpu", "0"]);
    const agent = contestant.start(call, { env: { JOB_TOKEN: state.JOB_TOKEN } });
    await waitForEvents("reply", 1);
    agent.signal("SIGKILL");
    await contestant.waitUntilQuiet();
    const next = contestant.start(makeCall(state, writeHandler(ECHO), ["--gpu", "0"]), {
      env: { JOB_TOKEN: state.JOB_TOKEN },
    });
    await next.waitForOutput("leased");
    next.signal("SIGTERM");
    await next.ended;
  });
});

describe("a terminal that is stopped", () => {
  it("does not hold up the agent that writes to it", async () => {
    const { state, waitForEvents } = await startEndless();
    const handler = writeHandler(ECHO);
    const stopped = contestant.writeScript("stopped.py", STOPPED_TERMINAL);
    const env = { JOB_TOKEN: state.JOB_TOKEN };
    const call = makeCall(state, handler, ["--json", "--gpu", "cpu"]);
    const terminal = contestant.start(["python3", stopped, ...call], { env });
    await waitForEvents("reply", 3_000);
    terminal.signal("SIGTERM");
    await contestant.waitUntilQuiet();
  });
});

/** A terminal on which nothing moves any more: its events alone fill it within moments. */
const STOPPED_TERMINAL = `
import os, pty, signal, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGTERM))
os.waitpid(pid, 0)
`;
