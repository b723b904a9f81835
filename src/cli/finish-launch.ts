import { collectQuietly } from "../supervise/collect-run.ts";
import type { Desk } from "../supervise/desk.ts";
import { isEnded, loadRunNow, type RunRecord } from "../supervise/find-runs.ts";
import { makeLaunchDocument } from "../supervise/make-document.ts";
import type { Plan } from "../supervise/show-plan.ts";
import { readLogTail, type Verified, verifyRun } from "../supervise/verify-run.ts";
import { attachToRun } from "./attach.ts";
import type { Io } from "./io.ts";
import { sayRows } from "./say-lines.ts";
import { formatMachine, seeToMachine } from "./see-to-machine.ts";
import { formatOutcome } from "./views/format-ending.ts";
import { formatLaunch, formatWaiting } from "./views/format-launch.ts";

const EXIT_WHEN = { left: 0, SIGINT: 130, SIGTERM: 143 } as const;

/** After the launch: verify, report, and unless it is detached follow the run to its end and bring it home. */
export async function finishLaunch(
  io: Io,
  desk: Desk,
  { plan, run }: { plan: Plan; run: RunRecord },
  options: { detach: boolean },
): Promise<number> {
  if (options.detach) return reportDetached(io, desk, plan, run);
  const attached = await attachToRun(io, desk, run.id, async () => {
    if (!io.json) sayRows(io, await describeStart(desk, run));
  });
  if (attached !== "ended") {
    if (io.json) io.printDocument(makeLaunchDocument(plan, await loadRunNow(desk, run.id)));
    else io.say(`${run.name} goes on. Follow it with \`sortie logs -f ${run.name}\`.`);
    return EXIT_WHEN[attached];
  }
  const ended = await collectQuietly(desk, run.id);
  const machine = await seeToMachine(desk, ended);
  if (io.json)
    io.printDocument({ ...makeLaunchDocument(plan, ended), ...(machine && { machine: machine.document }) });
  else sayRows(io, [...formatOutcome(ended, { known: plan.notes }), ...formatMachine(machine)]);
  return ended.state === "succeeded" ? 0 : 1;
}

/** How it started, above its log; whether it goes on is seen from there. */
async function describeStart(desk: Desk, run: RunRecord): Promise<string[]> {
  if (run.state === "waiting") return formatWaiting(run);
  const verified = await verifyRun(desk, run.id, { watchMs: 0 });
  const lines = isEnded(verified.run.state) ? [`${run.name} has ended already.`] : formatLaunch(verified);
  return [...lines, "Its log:"];
}

async function reportDetached(io: Io, desk: Desk, plan: Plan, launched: RunRecord): Promise<number> {
  const verified = launched.state === "waiting" ? null : await verifyRun(desk, launched.id);
  const run = verified?.run ?? launched;
  const failed = isEnded(run.state) && run.state !== "succeeded";
  if (io.json) io.printDocument(makeLaunchDocument(plan, run));
  else sayRows(io, await describeDetached(desk, plan, run, verified));
  return failed ? 1 : 0;
}

async function describeDetached(
  desk: Desk,
  plan: Plan,
  run: RunRecord,
  verified: Verified | null,
): Promise<string[]> {
  if (verified === null) return formatWaiting(run);
  if (!isEnded(run.state)) return formatLaunch(verified);
  const [ended, logTail] = [await collectQuietly(desk, run.id), await readLogTail(desk, run)];
  return formatOutcome(ended, { known: plan.notes, logTail });
}
