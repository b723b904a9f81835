import { SortieError } from "../base/error.ts";
import { type ChosenTarget, chooseTargetFor, type TargetChoice } from "../supervise/choose-target.ts";
import type { Desk } from "../supervise/desk.ts";
import { makeRequest, type RunWish } from "../supervise/make-request.ts";
import { findCapProblem } from "../supervise/modal/modal-terms.ts";
import { planRun } from "../supervise/plan-run.ts";
import { makePrintablePlan, type Plan } from "../supervise/show-plan.ts";
import { askForOne, askYesNo } from "./ask.ts";
import { confirmAndShow } from "./confirm-and-show.ts";
import { finishLaunch } from "./finish-launch.ts";
import type { Io } from "./io.ts";
import { type RentOptions, readRentFlags } from "./rent-flags.ts";
import { reportTrust } from "./report-trust.ts";
import { reportUnconfirmed } from "./report-unconfirmed.ts";
import { formatPlan } from "./views/format-plan.ts";

export interface ConfirmOptions extends RentOptions {
  readonly yes?: boolean;
  readonly detach?: boolean;
  readonly ask?: boolean;
  readonly unguarded?: boolean;
}

/** Plan, show, ask, launch: on a terminal a question, else `--yes`, or exit 3 with the plan and how to confirm it. */
export async function planAndConfirm(
  io: Io,
  desk: Desk,
  wish: RunWish,
  options: ConfirmOptions,
): Promise<number> {
  const bridge = options.ask ? await openBridge(desk, options) : null;
  const chosen = await chooseTarget(io, desk, wish);
  if ("trust" in chosen) return reportTrust(io, chosen);
  if (chosen.target.section.kind === "vast" && chosen.target.instance === null)
    return rent(io, desk, wish, chosen.target, options);
  const plan = await planChosen(desk, wish, chosen.target, options);
  if (!io.json) for (const line of formatPlan(plan, io.columns)) io.say(line);
  if (bridge !== null) {
    const { askByBridge, BRIDGE_COLUMNS } = await import("./ask-by-bridge.ts");
    const refusal = await askByBridge(io, desk, bridge, {
      plan: makePrintablePlan(plan),
      lines: formatPlan(plan, BRIDGE_COLUMNS),
    });
    if (refusal !== null) return refusal;
  } else if (options.yes ? mayNotSpend(io, plan) : !(await askYesNo(io, "Launch it?", !plan.terms.modal))) {
    return reportUnconfirmed(io, makePrintablePlan(plan), {
      now: desk.clock.now(),
      refused: "Not launched.",
    });
  }
  const launched = await confirmAndShow(io, desk, plan.id, { justMade: options.yes ?? false });
  return finishLaunch(io, desk, launched, { detach: options.detach ?? false });
}

/** Where it runs at Modal that is asked instead of a machine. Loaded on demand: few runs do. */
async function planChosen(
  desk: Desk,
  wish: RunWish,
  chosen: ChosenTarget,
  options: ConfirmOptions,
): Promise<Plan> {
  const { variables, cwd, target: wanted } = wish;
  const request = makeRequest(wish, chosen);
  if (chosen.section.kind !== "modal") return planRun(desk, request, chosen, variables);
  const { planModal } = await import("../supervise/modal/plan-modal.ts");
  return planModal(desk, request, chosen, {
    place: { cwd, wanted },
    variables,
    flags: readRentFlags(options),
  });
}

/** `--yes` alone never spends: the cap must cover what the run may cost. */
function mayNotSpend(io: Io, { terms: { modal } }: Plan): boolean {
  const problem = modal ? findCapProblem(modal) : null;
  if (problem !== null) io.warn(problem);
  return problem !== null;
}

/** Its machine is still to be rented. Loaded on demand: few runs need it. */
async function rent(
  io: Io,
  desk: Desk,
  wish: RunWish,
  chosen: ChosenTarget,
  options: ConfirmOptions,
): Promise<number> {
  const { planRental } = await import("../supervise/rent/plan-rental.ts");
  const { rentOrPlanned } = await import("./rent-and-launch.ts");
  const plan = await planRental(desk, {
    ...{ request: makeRequest(wish, chosen), chosen, variables: wish.variables },
    ...{ place: { cwd: wish.cwd, wanted: wish.target }, flags: readRentFlags(options) },
    mayBeUnguarded: (options.unguarded || options.yes) ?? false,
  });
  return rentOrPlanned(io, desk, plan, options);
}

/** What asks somebody must be in order before anything is planned. */
async function openBridge(desk: Desk, { yes }: { yes?: boolean }) {
  if (yes) {
    const problem = "--ask waits for an answer, and --yes waits for none: one of them, please.";
    throw new SortieError("usage", { problem, command: "sortie run" });
  }
  const { loadBridge } = await import("../supervise/news/ask-launch.ts");
  return loadBridge(desk);
}

/** Asks on a terminal where the configuration leaves it open. */
async function chooseTarget(io: Io, desk: Desk, wish: RunWish): Promise<TargetChoice> {
  try {
    return await chooseTargetFor(desk, { cwd: wish.cwd, wanted: wish.target }, { mayRent: true });
  } catch (fault) {
    if (!io.isTerminal || !(fault instanceof SortieError)) throw fault;
    if (fault.code !== "target_ambiguous" && fault.code !== "target_missing") throw fault;
    const wanted = await askForTarget(io, fault);
    return chooseTargetFor(desk, { cwd: wish.cwd, wanted }, { mayRent: true });
  }
}

async function askForTarget(io: Io, fault: SortieError): Promise<string> {
  if (fault.code === "target_missing") {
    if (await askYesNo(io, `${fault.message} Run on this machine?`, false)) return "local";
    throw fault;
  }
  const names = fault.details["names"] as string[];
  const wanted = await askForOne(
    "On which target?",
    names.map((name) => [name, name] as const),
  );
  if (wanted === null) throw new SortieError("interrupted");
  return wanted;
}
