import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findOwnProcesses } from "../support/own-processes.ts";
import { useSortie } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const sortie = useSortie();
const checkout = fileURLToPath(new URL("../..", import.meta.url));
const rehearse = (...args: string[]) => sortie.run(["rehearse", ...args], { cwd: checkout });
const right = 'node "fixtures/agents/right.mjs"';
const sample = "contestant_sdk/python/example_inference:handle";

it("the sample passes with two agents, in one document that says so", async () => {
  const outcome = await rehearse("--handler", sample, "--agents", "2", "--gpu", "cpu", "--json");
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
  ];
  for (const [args, message] of calls) {
    const { exitCode, stderr } = await rehearse(...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  }
});
