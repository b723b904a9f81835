import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeFakeGpus, makeGpuFreeEnv } from "../support/fake-gpus.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { SORTIE, useSortie } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const sortie = useSortie();
const checkout = fileURLToPath(new URL("../..", import.meta.url));
/** No GPU of this machine is touched. */
const noGpu = { CUDA_VISIBLE_DEVICES: "" };
const rehearse = (...args: string[]) => sortie.run(["rehearse", ...args], { cwd: checkout, env: noGpu });
const right = 'node "fixtures/agents/right.mjs"';
const sample = "contestant_sdk/python/example_inference:handle";

it("the sample passes with two agents on one GPU, in one document that says so", async () => {
  const { env } = makeFakeGpus(sortie.temp());
  const outcome = await sortie.run(["rehearse", "--handler", sample, "--agents", "2", "--json"], {
    cwd: checkout,
    env: { ...env, CUDA_VISIBLE_DEVICES: undefined, SORTIE_RUN_ID: undefined },
  });
  const document = JSON.parse(outcome.stdout);
  expect(document.checks.filter(({ ok, level }: Check) => ok !== true && level === "hard")).toEqual([]);
  expect(outcome.exitCode).toBe(0);
  expect(document).toMatchObject({ schema: 1, passed: true, agents: 2, board: "instruction", payload: "g2" });
  expect(document.checks.length).toBeGreaterThanOrEqual(30);
  for (const check of document.checks) {
    expect(check).toEqual({
      ...{
        name: expect.any(String),
        group: expect.any(String),
        level: expect.stringMatching(/^(hard|soft)$/),
      },
      ...{ skipped: check.ok === null, detail: expect.any(String), wants: expect.any(String) },
      ...{ ok: check.ok, advice: check.ok === false ? expect.any(String) : null },
    });
  }
  expect(document.latency.answers).toBe(document.latency.observations);
  expect(document.latency.percentiles.p50).toBeGreaterThan(0);
  expect(outcome.stderr).toContain("second session: the link is cut twice");
  expect(outcome.stderr).toMatch(/agent 1 on GPU 0 \(.*\), agent 2 on cpu: no other GPU is free/);
});

it("without nvidia-smi every agent does without a GPU, by itself", async () => {
  const python = await sortie.runner.run(["python3", "-c", "import sys; print(sys.executable)"], {
    timeoutMs: 10_000,
  });
  const keep = join(sortie.temp(), "kept");
  const words = ["--handler", sample, "--python", python.stdout.trim(), "--keep", keep];
  const { exitCode, stdout } = await sortie.run(["rehearse", ...words], {
    cwd: checkout,
    env: { ...makeGpuFreeEnv(sortie.temp()), CUDA_VISIBLE_DEVICES: undefined, SORTIE_RUN_ID: undefined },
  });
  expect(exitCode, stdout).toBe(0);
  expect(readFileSync(join(keep, "agent-1.log"), "utf8")).toContain("GPU: no GPU: nvidia-smi");
});

interface Check {
  readonly ok: boolean | null;
  readonly level: string;
}

it("a handler that is not there ends it at once with exit code 1, its error in the table", async () => {
  const { exitCode, stdout } = await rehearse("--handler", "nowhere:handle", "--gpu", "cpu");
  expect(exitCode).toBe(1);
  const words = stdout.replaceAll(/\s+/g, " ");
  expect(words).toContain("✗ starts the agent ended with exit code 1 before a dial; its log says: ");
  expect(words).toMatch(/nowhere.*was not found/);
  expect(words).toContain("accepted, token-hidden");
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

it.each([
  ["an empty handler", ["--handler", ""], "--handler cannot be empty"],
  ["an empty agent", ["--agent", " "], "--agent cannot be empty"],
  ["both, empty", ["--handler", "", "--agent", ""], "--handler cannot be empty"],
  ["both", ["--handler", sample, "--agent", right], "not both at once"],
])("%s is refused", async (_, args, why) => {
  const { exitCode, stderr } = await rehearse(...args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(why);
});

it("an agent that does nothing is not waited for longer than loading may take", async () => {
  const outcome = await rehearse("--agent", "sh -c 'sleep 600; true'", "--load-timeout", "1s");
  expect(outcome.stdout).toMatch(/✗ starts +the agent did not dial within 1.00 s/);
  expect(outcome.exitCode).toBe(1);
});

it("an agent that cannot be started is told as that", async () => {
  const { exitCode, stdout } = await rehearse("--agent", "./no-such-agent");
  expect(stdout).toMatch(/✗ starts +the agent ended with exit code 127 before a dial/);
  expect(exitCode).toBe(1);
});

it("any other agent gets GPU, job and URL as arguments and the token from the environment alone", async () => {
  const script = join(sortie.temp(), "agent.sh");
  const shown =
    '[ "$JOB_UUID" = "$2" ] && [ "$TUNNEL_ENDPOINT" = "$3" ] && [ -n "$JOB_TOKEN" ] && echo "as $1 $# $SORTIE_BOARD"';
  writeFileSync(script, `#!/bin/sh\n${shown}\nexec ${right} "$@"\n`);
  chmodSync(script, 0o755);
  const keep = join(sortie.temp(), "kept");
  const { exitCode, stdout } = await rehearse(
    ...["--agent", `'${script.replaceAll("'", "'\\''")}'`, "--board", "spatial", "--keep", keep],
  );
  expect(exitCode, stdout).toBe(0);
  expect(readFileSync(join(keep, "agent-1.log"), "utf8")).toBe("as cpu 3 spatial\n");
  expect(readdirSync(keep)).toEqual(["agent-1.log"]);
  expect(stdout).toContain(`Logs and events are in ${keep}.`);
});

describe("with --json stdout holds one document", () => {
  it("also where a hard check fails, and where the handler is unknown", async () => {
    for (const handler of ["fixtures/handlers/raises.py:handle", "nowhere:handle"]) {
      const { exitCode, stdout } = await rehearse("--handler", handler, "--json");
      const { schema, passed, checks } = JSON.parse(stdout);
      expect([exitCode, schema, passed]).toEqual([1, 1, false]);
      const failed = checks.filter(({ ok, level }: Check) => ok === false && level === "hard");
      expect(failed.map(({ name }: { name: string }) => name)).toEqual([
        handler === "nowhere:handle" ? "starts" : "error-envelope",
      ]);
    }
  });

  it("also where the call is wrong", async () => {
    for (const args of [
      [],
      ["--handler", "x:y", "--gpu", "0", "--agents", "2"],
      ["--handler", "x:y", "--what"],
    ]) {
      const { exitCode, stdout } = await rehearse(...args, "--json");
      expect(JSON.parse(stdout)).toMatchObject({ schema: 1, error: { code: expect.any(String) } });
      expect(exitCode).toBe(2);
    }
  });

  it.each([1, 2])("also after Ctrl-C, %i times", async (times) => {
    const file = join(sortie.temp(), "stdout");
    const temporary = mkdtempSync(join(sortie.temp(), "temporary-"));
    // Where a second one comes, the agent must not have ended by then, and Sortie with it.
    const stubborn = times === 2 ? "trap : TERM; while :; do sleep 602; done" : "sleep 602; true";
    const command = ["rehearse", "--agent", `sh -c '${stubborn}'`, "--json"];
    const child = spawn(process.execPath, [SORTIE, ...command], {
      ...{ env: sortie.makeEnv({ TMPDIR: temporary }) as NodeJS.ProcessEnv, cwd: checkout },
      stdio: ["ignore", openSync(file, "w"), "ignore"],
    });
    const ended = once(child, "exit");
    await waitFor(() => findOwnProcesses().some(({ command: words }) => words.startsWith("sleep 602")));
    child.kill("SIGINT");
    await waitFor(() => readFileSync(file, "utf8") !== "");
    if (times === 2) await pause(500); // one that comes sooner is the same wish
    if (times === 2) child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      schema: 1,
      error: { code: "interrupted" },
    });
    await waitFor(() => findOwnProcesses().length === 0, { timeoutMs: 5_000, what: "the end of the agent" });
  });
});

it("Ctrl-C ends it and every agent, with exit code 130", async () => {
  const child = sortie.start(["rehearse", "--agent", "sh -c 'sleep 601; true'"]);
  await waitFor(() => findOwnProcesses().some(({ command }) => command.startsWith("sleep 601")));
  child.kill("SIGINT");
  expect(await child.exitCode).toBe(130);
  await waitFor(() => findOwnProcesses().length === 0, { timeoutMs: 5_000, what: "the end of the agent" });
});

it("what cannot be rehearsed is the caller's mistake", async () => {
  const file = join(sortie.temp(), "file");
  writeFileSync(file, "");
  const calls: [string[], string][] = [
    [[], "There is nothing to rehearse"],
    [["--handler", "x:y", "--agents", "0"], "--agents cannot be 0"],
    [["--handler", "x:y", "--board", "kitchen"], "kitchen"],
    [["--handler", "x:y", "--budget-ms", "fast"], "--budget-ms cannot be fast"],
    [["--handler", "x:y", "--keep", join(file, "logs")], "cannot hold the logs"],
    [["--handler", "x:y", "--gpu", "0", "--agents", "2"], "one agent at a time"],
  ];
  for (const [args, message] of calls) {
    const { exitCode, stderr } = await rehearse(...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  }
});
