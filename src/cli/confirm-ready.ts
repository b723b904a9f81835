import { makePrintable } from "../base/printable.ts";
import type { ActionPlan } from "../supervise/actions/action-plan.ts";
import { confirmAction } from "../supervise/actions/confirm-action.ts";
import type { Desk } from "../supervise/desk.ts";
import type { EnvironmentSight } from "../supervise/environment/look-at-environment.ts";
import { makeReadyDocument, type ReadyTerms } from "../supervise/environment/plan-ready.ts";
import { askYesNo } from "./ask.ts";
import type { Io } from "./io.ts";
import { listenForEnd } from "./listen-for-end.ts";
import { reportAction } from "./plan-and-act.ts";
import { reportUnconfirmed } from "./report-unconfirmed.ts";
import { sayRows } from "./say-lines.ts";
import { showEnvironmentNews } from "./show-environment-news.ts";
import { formatActionPlan } from "./views/format-action.ts";
import { formatReady } from "./views/format-environment.ts";

/** What a host may take to end what is called off. */
const LONGEST_END_MS = 20_000;

/**
 * Shows the plan that makes an environment ready, asks, and carries it out; where nothing is to be done, says so. Ctrl-C
 * calls off what it has started.
 */
export async function readyOrPlanned(
  io: Io,
  desk: Desk,
  { plan, sight }: { readonly plan: ActionPlan<ReadyTerms> | null; readonly sight: EnvironmentSight },
  { yes = false }: { readonly yes?: boolean },
): Promise<number> {
  if (plan === null) return reportReady(io, sight);
  if (!io.json) for (const line of formatActionPlan(plan, io.columns)) io.say(line);
  if (!yes && !(await askYesNo(io, "Do it?", true)))
    return reportUnconfirmed(io, makeReadyDocument(plan), { now: desk.clock.now(), refused: "Not done." });
  return confirmReady(io, desk, plan.id);
}

function reportReady(io: Io, sight: EnvironmentSight): number {
  const { document, lines } = formatReady(sight);
  if (io.json) io.printDocument(document);
  else sayRows(io, lines);
  return 0;
}

/** Carries out such a plan, and shows how far it is. */
export async function confirmReady(io: Io, desk: Desk, id: string): Promise<number> {
  const ending = listenForEnd(io, { longestMs: LONGEST_END_MS });
  const { onNews, done } = showEnvironmentNews(io);
  try {
    const confirmed = await confirmAction(desk, id, { secrets: {}, onNews, signal: ending.signal });
    done();
    if (io.json) return reportAction(io, confirmed);
    sayRows(io, confirmed.outcome.words.map(makePrintable));
    return 0;
  } catch (fault) {
    done();
    const exitCode = ending.exitCode();
    if (exitCode === null) throw fault;
    io.warn("Called off.");
    return exitCode;
  }
}
