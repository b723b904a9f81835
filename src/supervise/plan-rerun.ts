import { SortieError } from "../base/error.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { RunWish } from "./make-request.ts";

/**
 * The wish that leads to an earlier run again; flags given now win. The values of its variables were not kept: each
 * must be given again, or be set where this is called. @throws run_of_fleet, value_bad naming those that are missing
 */
export function makeRerunWish(
  run: RunRecord,
  wish: RunWish,
  env: Readonly<Record<string, string | undefined>>,
): RunWish {
  const { request, seat } = run;
  if (seat) throw new SortieError("run_of_fleet", { run: run.name, fleet: seat.fleet });
  const missing = request.envNames.filter((name) => !(name in wish.variables) && env[name] === undefined);
  if (missing.length > 0) {
    throw new SortieError("value_bad", {
      what: "the rerun",
      value: "started",
      reason: `the values of ${missing.join(", ")} were not kept`,
      advice: `Give them again: --env ${missing[0]}=…`,
    });
  }
  const wandbWay = wish.wandbWay ?? request.wandbWay;
  const kept = request.envNames.flatMap((name) =>
    env[name] === undefined ? [] : [[name, env[name]] as const],
  );
  return {
    command: request.command,
    cwd: wish.cwd,
    // A run that was started in the section's Code dir is started there again.
    isCwdGiven: request.configFrom === undefined || wish.cwd !== request.configFrom,
    target: wish.target ?? run.target,
    name: wish.name,
    gpus: wish.gpus ?? (request.gpus === "default" ? null : request.gpus),
    gpu: wish.gpu.length > 0 ? wish.gpu : request.gpu,
    variables: { ...Object.fromEntries(kept), ...wish.variables },
    envFiles: [...new Set([...request.envFiles, ...wish.envFiles])],
    results: wish.results ?? request.results,
    timeoutS: wish.timeoutS ?? request.timeoutS,
    graceS: wish.graceS ?? request.graceS,
    expectS: wish.expectS ?? request.expectS,
    waitGpuS: wish.waitGpuS ?? request.waitGpuS,
    freeze: wish.freeze || (request.freeze ?? false),
    copies: [...new Set([...(request.copies ?? []), ...wish.copies])],
    environment: wish.environment ?? request.environment ?? null,
    // Whoever let it pass once is asked again.
    unverified: wish.unverified,
    ...(wandbWay && { wandbWay }),
  };
}
