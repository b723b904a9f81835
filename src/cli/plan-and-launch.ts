import { SortieError } from "../base/error.ts";
import type { Desk } from "../supervise/desk.ts";
import type { FleetWish } from "../supervise/fleet/fleet-wish.ts";
import {
  chooseFleetTarget,
  type FleetPlan,
  type FleetTerms,
  planFleet,
} from "../supervise/fleet/plan-fleet.ts";
import { forgetPlans } from "../supervise/forget-plans.ts";
import { askForNumber, askYesNo } from "./ask.ts";
import { followLaunch } from "./follow-launch.ts";
import type { Io } from "./io.ts";
import { launchAndFollow } from "./launch-and-follow.ts";
import { reportTrust } from "./report-trust.ts";
import { reportUnconfirmed } from "./report-unconfirmed.ts";
import { formatActionPlan } from "./views/format-action.ts";

/** How many GPUs a person may say that there are. */
const MOST_GPUS = 999;

/** Plan, show, ask, launch, watch. Without a number of agents a terminal asks for it; elsewhere the plan proposes one. */
export async function planAndLaunch(
  io: Io,
  desk: Desk,
  wish: FleetWish,
  { yes = false, detach = false }: { readonly yes?: boolean; readonly detach?: boolean },
): Promise<number> {
  const chosen = await chooseFleetTarget(desk, wish);
  if ("trust" in chosen) return reportTrust(io, chosen);
  const plan = await choosePlan(io, desk, wish, {
    yes,
    plan: (settled) => planFleet(desk, settled),
    findTerms: ({ terms }) => terms,
  });
  if (!io.json) for (const line of formatActionPlan(plan, io.columns)) io.say(line);
  if (!yes && !(await askYesNo(io, "Launch it?", true)))
    return reportUnconfirmed(io, makePlanDocument(plan), { now: desk.clock.now(), refused: "Not launched." });
  return launchAndFollow(io, desk, plan.id, {
    ...{ detach, justMade: yes },
    follow: (confirmed, signals) => followLaunch(io, desk, confirmed, signals),
  });
}

/** What a plan needs that was not said is asked for on a terminal. @throws fleet_agents_open, where --yes leaves it open */
export async function choosePlan<Plan extends { readonly id: string }>(
  io: Io,
  desk: Desk,
  wish: FleetWish,
  maker: {
    readonly yes: boolean;
    readonly plan: (wish: FleetWish) => Promise<Plan>;
    readonly findTerms: (plan: Plan) => FleetTerms;
  },
): Promise<Plan> {
  const counted = await planCounted(io, wish, maker.plan);
  if (wish.agents !== null) return counted.plan;
  const { k, parallelism, gpusFree, pattern } = maker.findTerms(counted.plan);
  const forget = () => forgetPlans(desk, [counted.plan.id, pattern.plan]);
  if (maker.yes) {
    forget();
    throw new SortieError("fleet_agents_open", { cap: k });
  }
  if (!io.isTerminal) return counted.plan;
  const limits = [
    ...(parallelism === null ? [] : [`the job allows ${parallelism}`]),
    ...(gpusFree === null ? [] : [`free GPUs: ${gpusFree}`]),
  ];
  const message = `How many agents, 1 to ${k}? (${limits.join(", ")})`;
  const agents = await askForNumber(message, { least: 1, most: k }).finally(forget);
  return maker.plan({ ...counted.wish, agents });
}

/** Where GPUs cannot be counted, a person can. */
async function planCounted<Plan>(
  io: Io,
  wish: FleetWish,
  plan: (wish: FleetWish) => Promise<Plan>,
): Promise<{ readonly plan: Plan; readonly wish: FleetWish }> {
  try {
    return { plan: await plan(wish), wish };
  } catch (fault) {
    if (!(fault instanceof SortieError) || fault.code !== "fleet_gpus_untold" || !io.isTerminal) throw fault;
    io.warn(fault.message);
    const message = `How many GPUs has ${wish.target ?? "this machine"}? (0: the agents need none)`;
    const gpus = await askForNumber(message, { least: 0, most: MOST_GPUS });
    const counted: FleetWish = { ...wish, gpus: gpus === 0 ? "none" : gpus };
    return { plan: await plan(counted), wish: counted };
  }
}

/** A plan as `--json` prints it. */
function makePlanDocument({ id, action, expiresAt, terms, notes, sideEffects }: FleetPlan) {
  const { pattern: _, ...shown } = terms;
  return { id, action, expiresAt, ...shown, notes, sideEffects };
}
