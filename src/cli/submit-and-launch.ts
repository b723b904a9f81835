import type { ActionOutcome } from "../supervise/actions/action.ts";
import type { SubmissionWish } from "../supervise/contest/draft-submission.ts";
import { type LaunchedPlan, planLaunchedSubmission } from "../supervise/contest/launch-submission.ts";
import type { JobReport } from "../supervise/contest/load-report.ts";
import { loadScores, type Scores } from "../supervise/contest/load-scores.ts";
import type { Contest } from "../supervise/contest/open-contest.ts";
import type { FleetWish } from "../supervise/fleet/fleet-wish.ts";
import { chooseFleetTarget } from "../supervise/fleet/plan-fleet.ts";
import { makeFleetDocument } from "../supervise/fleet/show-fleet.ts";
import { askYesNo } from "./ask.ts";
import { describeFinish, type FleetFinish, finishFleet } from "./finish-fleet.ts";
import type { Io } from "./io.ts";
import { launchAndFollow } from "./launch-and-follow.ts";
import type { SignalListener } from "./listen-for-signals.ts";
import { choosePlan } from "./plan-and-launch.ts";
import { reportTrust } from "./report-trust.ts";
import { reportUnconfirmed } from "./report-unconfirmed.ts";
import { sayLines } from "./say-lines.ts";
import { formatActionPlan } from "./views/format-action.ts";
import { formatScores } from "./views/format-scores.ts";
import { findTableWidth } from "./views/format-table.ts";
import { watchJobAside } from "./watch-job-aside.ts";

/** A job is over right after its agents were drained; where they were not, it is looked at once more. */
const SETTLE_MS = { drained: 60_000, otherwise: 6_000 } as const;

export interface WholeWish {
  readonly submission: SubmissionWish;
  readonly fleet: FleetWish;
}

/** One plan for a submission and its fleet, one confirmation, and unless it is detached all that follows, to the scores. */
export async function submitAndLaunch(
  io: Io,
  contest: Contest,
  { submission, fleet }: WholeWish,
  { yes = false, detach = false }: { readonly yes?: boolean; readonly detach?: boolean },
): Promise<number> {
  const { desk } = contest;
  const chosen = await chooseFleetTarget(desk, fleet);
  if ("trust" in chosen) return reportTrust(io, chosen);
  const plan = await choosePlan(io, desk, fleet, {
    yes,
    plan: (settled) => planLaunchedSubmission(contest, submission, settled),
    findTerms: ({ terms }) => terms.fleet,
  });
  if (!io.json) for (const line of formatActionPlan(plan, io.columns)) io.say(line);
  if (!yes && !(await askYesNo(io, "Submit and launch it?", true)))
    return reportUnconfirmed(io, makePlanDocument(plan), {
      now: desk.clock.now(),
      refused: "Not submitted.",
    });
  return launchAndFollow(io, desk, plan.id, {
    ...{ detach, justMade: yes },
    follow: ({ outcome }, signals) => followToScores(io, contest, { plan, outcome }, signals),
  });
}

function makePlanDocument({ id, action, expiresAt, terms, notes, sideEffects }: LaunchedPlan) {
  const { pattern: _, ...fleet } = terms.fleet;
  return { id, action, expiresAt, submission: terms.submission, fleet, notes, sideEffects };
}

/**
 * What follows the launch of a submitted job, to its scores. 0: the job is done; 1: it failed, or an agent ended otherwise
 * while it goes on; 130, 143: the fleet was ended by a signal.
 */
export async function followToScores(
  io: Io,
  contest: Contest,
  { plan, outcome }: { readonly plan: LaunchedPlan; readonly outcome: ActionOutcome },
  signals: SignalListener,
): Promise<number> {
  if (!io.json) sayLines(io, outcome.words);
  const { fleet, job } = outcome.document as {
    readonly fleet: { readonly id: string };
    readonly job: { readonly id: number; readonly uuid: string };
  };
  const aside = watchJobAside(contest, { id: job.id, uuid: job.uuid, name: plan.terms.submission.name });
  try {
    const finish = await finishFleet(io, contest.desk, fleet.id, { signals, describe: aside.headline });
    const isOver = finish.watched === "ended";
    const waitMs = finish.view.outcome?.isDrained ? SETTLE_MS.drained : SETTLE_MS.otherwise;
    const report = isOver ? await aside.settle(waitMs, signals.next()) : null;
    const scores = report === null ? null : await loadScores(contest, { ...job, name: null });
    tellEnd(io, { plan, finish, report, scores });
    return report === null ? finish.exitCode || Number(isOver) : Number(report.state !== "done");
  } finally {
    aside.end();
  }
}

interface End {
  readonly plan: LaunchedPlan;
  readonly finish: FleetFinish;
  /** null: the job is not over. */
  readonly report: JobReport | null;
  readonly scores: Scores | null;
}

function tellEnd(io: Io, { plan: { id, action, expiresAt }, finish, report, scores }: End): void {
  if (io.json) {
    const fleet = makeFleetDocument(finish.view);
    io.printDocument({ plan: { id, action, expiresAt }, job: report, fleet, result: scores });
    return;
  }
  sayLines(io, describeFinish(finish));
  if (report !== null) sayLines(io, [`The job is over: ${report.said}`]);
  else if (finish.watched !== "left")
    sayLines(io, ["The job is not over: sortie challenge status; sortie agents launch"]);
  if (scores !== null) for (const line of formatScores(scores, findTableWidth(io))) io.say(line);
}
