import { mkdirSync } from "node:fs";
import { describeFault, SortieError } from "../base/error.ts";
import { writeFileAtomic } from "../disk/atomic-file.ts";
import { chooseGpus, type GpuChoice } from "../gpus/choose-gpus.ts";
import type { GpuReport } from "../gpus/gpu-report.ts";
import { nameJobFiles } from "../runs/job-folder.ts";
import { makeEnvFile } from "../runs/job-script.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { listLiveRuns, moveRun } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
import { makeTarget } from "./find-target.ts";
import { launchRun } from "./launch-run.ts";
import { loadPlan, type Plan } from "./plan.ts";

/** Puts a run in line for a GPU. The watcher starts it later, with the environment of now. */
export function parkRun(
  desk: Desk,
  run: RunRecord,
  {
    plan,
    variables,
    waitingFor,
  }: { plan: Plan; variables: Readonly<Record<string, string>>; waitingFor: string },
): RunRecord {
  const files = nameJobFiles(run.jobFolder);
  mkdirSync(run.jobFolder, { recursive: true, mode: 0o700 });
  const inherited = Object.fromEntries(Object.entries(desk.env).filter(([, value]) => value !== undefined));
  const { text } = makeEnvFile({ ...(inherited as Record<string, string>), ...variables });
  writeFileAtomic(files.env, text, { mode: 0o600 });
  return moveRun(desk.store, run.id, "waiting", { waitingFor, notes: plan.notes });
}

/** Runs that wait, first come first served. */
export function listWaiting(desk: Desk): RunRecord[] {
  return listLiveRuns(desk.store).filter((run) => run.state === "waiting");
}

/** Starts those in line whose GPUs are free; the first one that must go on waiting holds the line. */
export async function startWaiting(desk: Desk): Promise<void> {
  const waiting = listWaiting(desk);
  if (waiting.length === 0) return;
  const target = makeTarget(desk, "local");
  const report = await target.loadGpus({ python: null });
  const spoken = new Set<string>();
  for (const run of waiting) {
    if (giveUpLate(desk, run)) continue;
    const choice = findFree(withoutSpoken(report, spoken), run);
    if (!choice) return;
    for (const gpu of choice.gpus) if (gpu.uuid) spoken.add(gpu.uuid);
    await startOne(desk, run, choice);
  }
}

async function startOne(desk: Desk, run: RunRecord, choice: GpuChoice): Promise<void> {
  // Stopped, or taken by another, in the meantime: then the move is refused.
  const taken = moveRun(desk.store, run.id, "preparing", { launcher: desk.identity });
  if (taken.state !== "preparing") return;
  const plan = loadPlan(desk, run.plan);
  const target = makeTarget(desk, run.kind, { jobDir: plan.terms.jobDir });
  const gpuCandidates = [...choice.gpus, ...choice.candidates].flatMap((gpu) => gpu.uuid ?? []);
  try {
    await launchRun(
      desk,
      taken,
      { plan, target, gpuCandidates, variables: null, env: desk.env },
      () => undefined,
    );
  } catch (fault) {
    await target.close(run);
    moveRun(desk.store, run.id, "failed", {
      endReason: "launch_failed",
      endedAt: desk.clock.now().toISOString(),
      evidence: describeFault(fault),
      results: [],
    });
  }
}

function findFree(report: GpuReport, run: RunRecord): GpuChoice | null {
  try {
    return chooseGpus(report, { count: run.request.gpus, gpu: run.request.gpu });
  } catch (fault) {
    if (fault instanceof SortieError) return null; // none free yet
    throw fault;
  }
}

/** GPUs given out in this round are not free for the next in line, although their leases are not taken yet. */
function withoutSpoken(report: GpuReport, spoken: ReadonlySet<string>): GpuReport {
  const gpus = report.gpus.map((gpu) =>
    gpu.uuid && spoken.has(gpu.uuid) ? { ...gpu, state: "leased" as const } : gpu,
  );
  return { ...report, gpus };
}

/** Whether the time that a person was ready to wait is over; then the run has ended. */
function giveUpLate(desk: Desk, run: RunRecord): boolean {
  const { waitGpuS } = run.request;
  if (waitGpuS === null || waitGpuS < 0) return false;
  const waitedS = (desk.clock.now().getTime() - Date.parse(run.createdAt)) / 1000;
  if (waitedS < waitGpuS) return false;
  moveRun(desk.store, run.id, "failed", {
    endReason: "never_started",
    endedAt: desk.clock.now().toISOString(),
    evidence: `no GPU became free in ${waitGpuS} s: ${run.waitingFor ?? ""}`,
    nextStep: "Start it again with a longer --wait-gpu, or free a GPU; `sortie gpus` shows who holds them.",
    results: [],
  });
  return true;
}
