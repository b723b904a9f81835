import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendEvent } from "../../src/runs/events.ts";
import { examineContest } from "../../src/supervise/contest-doctor/examine-contest.ts";
import type { Desk } from "../../src/supervise/desk.ts";
import { stopFleet } from "../../src/supervise/fleet/stop-fleet.ts";
import { useFleetStage } from "../support/fleet-stage.ts";

const stage = useFleetStage();

async function examine({ env, self }: Desk) {
  const { signal } = new AbortController();
  const { findings } = await examineContest({ env, self, signal });
  return (code: string) => findings.find((finding) => finding.code === code);
}

/** A launcher that is not ours, with these lines for its shell. */
function writeLauncher(lines: string): string {
  writeFileSync(join(stage.sortie.project(), "own.sh"), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return "own.sh";
}

describe("doctor --job with a fleet", () => {
  it("tells of agents that warm up, that play, and that were killed for want of memory", async () => {
    const { desk } = await stage.submit({ gpus: 2, parallelism: 2, cases: 40, steps: 40 });
    writeFileSync(join(stage.sortie.project(), "slow"), "");
    await stage.launch(desk);
    const isFirst = (state: string) =>
      stage.waitForFleet(desk, ({ agents: [one] }) => one?.state === state, state);
    await isFirst("warmup");
    const early = await examine(desk);
    expect(early("agents_run")?.evidence).toBe("agent 1 is warmup, agent 2 is waiting");
    stage.open(1, 2);
    const { agents } = await isFirst("running");
    const playing = await examine(desk);
    expect(playing("job_running")).toBeDefined();
    expect(playing("agents_run")?.cause).toContain("agent 1");
    const evidence = "Out of memory: Killed process 4711 (python)";
    const body = { attempt: 1, endReason: "oom", exitCode: 137, cause: "no memory", evidence };
    appendEvent(desk.store, agents[0]?.runId as string, "attempt_ended", body, new Date());
    const killed = await examine(desk);
    expect(killed("agent_killed_for_memory")).toMatchObject({ level: "bad", evidence });
    await stopFleet(desk, null, { graceS: 3, force: true });
  });

  it("reads the log of a launcher that is not ours, and repeats no token of it", async () => {
    const { desk, job } = await stage.submit({ gpus: 1, parallelism: 1 });
    const refusal = "websockets.exceptions.InvalidStatus: server rejected WebSocket connection: HTTP 401";
    const runner = writeLauncher(`echo "${refusal} for $CHALLENGE_TOKEN" >&2; exit 1`);
    await stage.launch(desk, { handler: undefined, runner });
    await stage.waitForFleet(desk, ({ state }) => state === "ended", "the end");
    const found = (await examine(desk))("agent_unauthorized_job");
    expect(found).toMatchObject({ level: "bad", evidence: `${refusal} for [token]` });
    expect(JSON.stringify(found)).not.toContain(job.token);
  });
});
