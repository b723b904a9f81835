import { formatDuration } from "../base/duration.ts";
import { collectQuietly } from "../supervise/collect-run.ts";
import type { Desk } from "../supervise/desk.ts";
import { isEnded, loadRunNow, type RunRecord } from "../supervise/find-runs.ts";
import { makeLaunchDocument } from "../supervise/make-document.ts";
import type { Plan } from "../supervise/show-plan.ts";
import { type Verified, verifyRun } from "../supervise/verify-run.ts";
import { attachToRun } from "./attach.ts";
import type { Io } from "./io.ts";
import { formatOutcome } from "./views/format-ending.ts";

const EXIT_WHEN = { left: 0, SIGINT: 130, SIGTERM: 143 } as const;

/** After the launch: verify, report, and unless it is detached follow the run to its end and bring it home. */
export async function finishLaunch(
  io: Io,
  desk: Desk,
  { plan, run }: { plan: Plan; run: RunRecord },
  options: { detach: boolean },
): Promise<number> {
  if (options.detach) return reportDetached(io, desk, plan, run);
  if (!io.json && run.state === "waiting") io.say(`${run.name} waits for a GPU: ${run.waitingFor}`);
  else if (!io.json) io.say(`${run.name} started${run.session ? ` in screen ${run.session}` : ""}. Its log:`);
  const attached = await attachToRun(io, desk, run.id);
  if (attached !== "ended") {
    if (io.json) io.printDocument(makeLaunchDocument(plan, await loadRunNow(desk, run.id)));
    else io.say(`${run.name} goes on. Follow it with \`sortie logs -f ${run.name}\`.`);
    return EXIT_WHEN[attached];
  }
  const ended = await collectQuietly(desk, run.id);
  if (io.json) io.printDocument(makeLaunchDocument(plan, ended));
  else for (const line of formatOutcome(ended, plan.notes)) io.say(line);
  return ended.state === "succeeded" ? 0 : 1;
}

async function reportDetached(io: Io, desk: Desk, plan: Plan, launched: RunRecord): Promise<number> {
  const verified = launched.state === "waiting" ? null : await verifyRun(desk, launched.id);
  const run = verified?.run ?? launched;
  const failed = isEnded(run.state) && run.state !== "succeeded";
  if (io.json) io.printDocument(makeLaunchDocument(plan, run));
  else if (isEnded(run.state))
    for (const line of formatOutcome(await collectQuietly(desk, run.id), plan.notes)) io.say(line);
  else for (const line of formatLaunch(run, verified)) io.say(line);
  return failed ? 1 : 0;
}

function formatLaunch(run: RunRecord, verified: Verified | null): string[] {
  if (!verified) {
    return [
      `${run.name} waits for a GPU: ${run.waitingFor}`,
      `  next      sortie show ${run.name}, sortie stop ${run.name}`,
    ];
  }
  const { seconds, source } = run.expected;
  return [
    `${run.name} is running on ${run.host}.`,
    `  GPU       ${formatGpus(run, verified)}`,
    `  process   ${run.pid ?? "?"}${run.session ? `, screen ${run.session}` : ""}`,
    `  log       ${run.log}${verified.logBytes === 0 ? " (nothing yet)" : ""}`,
    `  expected  ${seconds === null ? "unknown" : `${formatDuration(seconds)}${source === "earlier_runs" ? ", as earlier runs took" : ""}`}`,
    `  next      sortie logs -f ${run.name}, sortie wait ${run.name}, sortie stop ${run.name}`,
  ];
}

function formatGpus(run: RunRecord, { gpuNames, gpuUse }: Verified): string {
  if (run.gpus.length === 0) return "none";
  return `${[...gpuNames, ...run.gpus].join(", ")} (${gpuUse ?? "unknown"})`;
}
