import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { changeRun, loadRun, moveRun } from "../src/runs/run-store.ts";
import { closeDesk, openDesk } from "../src/supervise/desk.ts";
import { releaseFailedStarts, startWaiting } from "../src/supervise/start-waiting.ts";
import { makeFakeGpus } from "./support/fake-gpus.ts";
import { SORTIE, useSortie } from "./support/sortie.ts";
import { waitFor } from "./support/wait-for.ts";

const sortie = useSortie();
const LIVE = ["sh", "-c", "echo up; exec sleep 300"];
const openOwn = (env = {}) => openDesk({ env: sortie.makeEnv(env), self: [process.execPath, SORTIE] });

/** A run in line behind one that holds the only GPU. */
async function launchWaiting() {
  const { env } = makeFakeGpus(sortie.temp());
  await sortie.launch(LIVE, ["--grace", "1"], { env });
  const waiting = await sortie.launch(["true"], ["--wait-gpu"], { env });
  expect(waiting.state).toBe("waiting");
  return { env, waiting };
}

it("a step of the watcher that fails is told in its log once, and does not keep the others from their work", async () => {
  const { env, waiting } = await launchWaiting();
  const desk = openOwn();
  desk.store.change("DELETE FROM plans WHERE id = ?", loadRun(desk.store, waiting.id).plan);
  closeDesk(desk);
  const write = ["sh", "-c", "mkdir results; echo 1 >results/x"];
  const { id } = await sortie.launch(write, ["--gpus", "none"], { env });
  // Only the watcher brings it home: no other command is called meanwhile.
  await waitFor(() => existsSync(join(sortie.home(), "runs", id, "results", "x")), {
    timeoutMs: 20_000,
    what: "results at home",
  });
  // One thing does not wait for the other: the fault may come after the results.
  const log = join(sortie.home(), "watcher.log");
  await waitFor(() => readFileSync(log, "utf8") !== "", { what: "the fault in the watcher's log" });
  const lines = readFileSync(log, "utf8").trim().split("\n");
  expect(lines).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z No plan is called /)]);
});

it("a host whose GPUs cannot be asked about keeps a run waiting, and says why", async () => {
  const { waiting } = await launchWaiting();
  const desk = openOwn({ PATH: join(sortie.temp(), "nothing") });
  await startWaiting(desk, () => undefined);
  expect(loadRun(desk.store, waiting.id)).toMatchObject({
    state: "waiting",
    waitingFor: expect.stringMatching(/could not be asked about its GPUs/),
  });
  closeDesk(desk);
});

it("a run that the watcher could neither start nor end is let go of", async () => {
  const { waiting } = await launchWaiting();
  const desk = openOwn();
  moveRun(desk.store, waiting.id, "preparing", { launcher: desk.identity });
  expect(await sortie.show(waiting.id)).toMatchObject({ state: "preparing" });
  releaseFailedStarts(desk);
  expect(await sortie.show(waiting.id)).toMatchObject({ state: "waiting" });
  // Another process's start is its own.
  moveRun(desk.store, waiting.id, "preparing", { launcher: { ...desk.identity, pid: process.ppid } });
  const before = changeRun(desk.store, waiting.id, {});
  releaseFailedStarts(desk);
  expect(loadRun(desk.store, waiting.id)).toEqual(before);
  closeDesk(desk);
});
