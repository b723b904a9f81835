import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { makeNewRun } from "../runs/new-run.ts";
import { insertRun, loadRun, moveRun } from "../runs/run-store.ts";
import { closeDesk, type Desk, openDesk } from "./desk.ts";
import { settleOnHost } from "./settle-host.ts";

const folder = useTempFolder();
let desk: Desk;

afterEach(() => closeDesk(desk));

it("a run that its launcher put in line, and left, is not closed by who read its record before", async () => {
  const before = insertAbandonedRun();
  moveRun(desk.store, before.id, "waiting", { waitingFor: "a GPU", startIntentAt: null });

  await settleOnHost(desk, [before]);

  expect(loadRun(desk.store, before.id)).toMatchObject({ state: "waiting", endReason: null });
  expect(existsSync(join(before.jobFolder, "pid"))).toBe(false);
});

it("a run whose launcher ended before its start is closed", async () => {
  const run = insertAbandonedRun();

  await settleOnHost(desk, [run]);

  expect(loadRun(desk.store, run.id)).toMatchObject({ state: "failed", endReason: "never_started" });
  expect(existsSync(join(run.jobFolder, "pid"))).toBe(true);
});

/** A record in preparation by a launcher that is dead: no process has this start time. */
function insertAbandonedRun() {
  desk = openDesk({ env: { ...process.env, SORTIE_HOME: join(folder(), "home") }, self: [process.execPath] });
  const jobFolder = join(folder(), "jobs", "r1");
  mkdirSync(jobFolder, { recursive: true });
  const run = makeNewRun({
    id: "r1",
    name: "one",
    plan: "p1",
    target: "local",
    kind: "local",
    host: desk.identity.host,
    request: makeRequest(),
    environment: { label: "as you have it", python: null },
    git: null,
    createdAt: new Date().toISOString(),
    jobFolder,
    expected: { seconds: null, source: "unknown" },
    notes: [],
    launcher: { ...desk.identity, start: "1" },
    startIntentAt: null,
  });
  insertRun(desk.store, run);
  return run;
}

function makeRequest() {
  return {
    command: ["true"],
    cwd: folder(),
    target: "local",
    name: "one",
    gpus: "none" as const,
    gpu: [],
    envNames: [],
    envFiles: [],
    results: [],
    resultsTo: null,
    timeoutS: null,
    graceS: 30,
    expectS: null,
    waitGpuS: null,
  };
}
