import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useFleetStage } from "../support/fleet-stage.ts";
import { waitFor } from "../support/wait-for.ts";

const stage = useFleetStage();

it("starts an agent again whose Python was killed, as for want of memory", async () => {
  const { desk } = await stage.submit({ gpus: 1, parallelism: 1, cases: 1 });
  const pids = join(stage.sortie.project(), "pids");
  writeFileSync(pids, "");
  writeFileSync(
    join(stage.sortie.project(), "slow_load.py"),
    `import os, time\n\n\ndef load() -> None:\n    open("pids", "a").write(f"{os.getpid()}\\n")\n    time.sleep(300)\n\n\ndef handle(session_id: str, frame: bytes) -> bytes:\n    return b""\n`,
  );
  await stage.launch(desk, { handler: "slow_load:handle" });
  const readPids = () => readFileSync(pids, "utf8").trim().split("\n").filter(Boolean).map(Number);
  await waitFor(() => readPids().length === 1, { what: "the load", timeoutMs: 20_000 });
  process.kill(readPids()[0] as number, "SIGKILL");
  const view = await stage.waitForFleet(desk, ({ agents }) => agents[0]?.restarts === 1, "the restart");
  expect(view.agents[0]).toMatchObject({
    state: "waiting",
    note: "its next start, 3 s after its handler was killed by signal 9",
  });
});
