import { SortieError } from "../base/error.ts";
import { confirmAction } from "../supervise/actions/confirm-action.ts";
import type { Desk } from "../supervise/desk.ts";
import type { EnvironmentNews } from "../supervise/environment/ready-environment.ts";
import { loadRunAsKnown } from "../supervise/find-runs.ts";
import type { RentalPlan } from "../supervise/rent/plan-rental.ts";
import { loadPlan } from "../supervise/show-plan.ts";
import { askYesNo } from "./ask.ts";
import { askForPlan } from "./ask-for-plan.ts";
import { finishLaunch } from "./finish-launch.ts";
import type { Io } from "./io.ts";
import { listenWhileReadying } from "./listen-while-readying.ts";
import { reportUnconfirmed } from "./report-unconfirmed.ts";
import { showEnvironmentNews } from "./show-environment-news.ts";
import { showTransfers } from "./show-transfer.ts";
import { formatActionPlan } from "./views/format-action.ts";
import { warnNotices } from "./warn-notices.ts";

/** Shows the plan of a run whose machine is still to be rented, asks, rents and launches. `--yes` spends under a cap alone. */
export async function rentOrPlanned(
  io: Io,
  desk: Desk,
  plan: RentalPlan,
  options: { readonly yes?: boolean; readonly detach?: boolean; readonly ask?: boolean },
): Promise<number> {
  if (!io.json) for (const line of formatActionPlan(plan, io.columns)) io.say(line);
  const refusal = await findRefusal(io, desk, plan, options);
  return refusal ?? rentAndFollow(io, desk, plan.id, { detach: options.detach ?? false });
}

/** null: a person, or a cap, says yes. */
async function findRefusal(
  io: Io,
  desk: Desk,
  plan: RentalPlan,
  { yes = false, ask = false }: { readonly yes?: boolean; readonly ask?: boolean },
): Promise<number | null> {
  if (ask) return askForPlan(io, desk, plan.id);
  if (yes && plan.terms.mostDollars !== null) return null;
  if (yes)
    io.warn(
      "Nothing says how much this may cost, and --yes alone never spends: give --max-cost, or set max_budget.",
    );
  else if (await askYesNo(io, "Rent it?", false)) return null;
  return reportUnconfirmed(io, plan, {
    now: desk.clock.now(),
    refused: "Not rented.",
    ...(plan.terms.mostDollars === null && { flag: "--yes with --max-cost" }),
  });
}

/** Carries out such a plan, and follows the run as any other. */
export async function rentAndFollow(
  io: Io,
  desk: Desk,
  id: string,
  options: { readonly detach: boolean },
): Promise<number> {
  await warnNotices(io, desk);
  const transfer = showTransfers(io);
  const environment = showEnvironmentNews(io);
  const { signal, begin, answer, end } = listenWhileReadying();
  begin();
  try {
    const { outcome } = await confirmAction(desk, id, {
      ...{ secrets: {}, signal, onProgress: transfer.onProgress },
      onNews: (news: EnvironmentNews) => environment.onNews(news),
      onLine: (line) => io.say(line),
      askPerson: (question) => askYesNo(io, question, false),
    });
    answer();
    end();
    const { run: launched } = outcome.document as { readonly run: { readonly id: string } };
    const run = loadRunAsKnown(desk, launched.id);
    return await finishLaunch(io, desk, { plan: loadPlan(desk, run.plan), run }, options);
  } catch (fault) {
    if (signal.aborted) throw new SortieError("rent_called_off", {}, fault);
    throw fault;
  } finally {
    end();
    transfer.done();
    environment.done();
  }
}
