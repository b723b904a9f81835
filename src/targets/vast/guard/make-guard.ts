import { formatDollars } from "../../../base/dollars.ts";
import { formatDuration } from "../../../base/duration.ts";
import { quotePath } from "../../../base/quote.ts";
import { makeSettings } from "../../../base/script.ts";
import processFunctions from "../../../runs/scripts/process.sh";
import stopRun from "../../../runs/scripts/stop.sh";
import askByPython from "./ask_vendor.py";
import askFunctions from "./ask-vendor.sh";
import guard from "./guard.sh";

/** Where the guard lies on the instance. */
export const GUARD_FOLDER = "~/.sortie/guard";

/**
 * In the job folder, once all of the run is home and verified: the guard does not wait for anybody any more, and leaves where
 * there is no limit of time or money to watch.
 */
export const COLLECTED_MARK = "collected";

/** In the guard's folder: each new text there says that home is at work on the instance (a build, a long copy). */
export const ATTENDED_MARK = "attended";

/** For the vendor's and the network's share of a stop that must not cross the cap. */
const STOP_MARGIN_S = 30;

/** What a guard watches over. Times are seconds from its start, money is US dollars. */
export interface GuardSettings {
  readonly runId: string;
  /** On the instance; absolute, or beginning with `~/`. */
  readonly jobFolder: string;
  /** As jobFolder; usually GUARD_FOLDER. */
  readonly guardFolder: string;
  /** The one instance that it may stop: where the machine is another, it does nothing. */
  readonly instance: number;
  /** The vendor's API without its path, as home uses it. */
  readonly vendorUrl: string;
  readonly limits: GuardLimits;
  /** How long the run has to save what it has. */
  readonly graceS: number;
  readonly lookS: number;
  /** Between two requests for the stop; up to 16 times that where the vendor refuses. */
  readonly retryS: number;
  /** The environment of the machine's first process: `/proc/1/environ`. */
  readonly environ: string;
}

export interface GuardLimits {
  /** null: no limit. The run is asked to end so early that the stop comes before the cap. */
  readonly money: {
    readonly dollarsPerHour: number;
    readonly cap: number;
    /** Spent before the guard starts. */
    readonly spent: number;
  } | null;
  readonly timeS: number | null;
  /** After the end of the run, without anybody from home. */
  readonly uncollectedS: number;
  /** Without a start of the run, and without anybody from home. */
  readonly unstartedS: number;
  /** While the run lives; null: an idle GPU is no reason. */
  readonly idle: { readonly seconds: number; readonly percent: number } | null;
}

/** The guard as one POSIX shell script: its settings as quoted variables, then what it does. */
export function makeGuardScript(settings: GuardSettings): string {
  const { limits } = settings;
  const paths = {
    sortie_guard_dir: settings.guardFolder,
    sortie_job_dir: settings.jobFolder,
    sortie_environ: settings.environ,
  };
  const head = makeSettings({
    sortie_run_id: settings.runId,
    sortie_instance: String(settings.instance),
    sortie_stop_url: `${settings.vendorUrl.replace(/\/+$/, "")}/api/v0/instances/${settings.instance}/`,
    sortie_money_limit_cs: formatCs(findMoneyLimitS(settings)),
    sortie_time_limit_cs: formatCs(limits.timeS),
    sortie_uncollected_limit_cs: formatCs(limits.uncollectedS),
    sortie_unstarted_limit_cs: formatCs(limits.unstartedS),
    sortie_idle_limit_cs: formatCs(limits.idle?.seconds ?? null),
    sortie_idle_percent: String(Math.floor(limits.idle?.percent ?? 0)),
    sortie_limits: describeLimits(limits),
    sortie_grace_s: String(Math.ceil(settings.graceS)),
    sortie_look_cs: formatCs(settings.lookS),
    sortie_retry_cs: formatCs(settings.retryS),
    sortie_python: askByPython,
    sortie_stop_run: stopRun,
  });
  const places = Object.entries(paths).map(([name, path]) => `${name}=${quotePath(path)}\n`);
  return [...places, head, processFunctions, askFunctions, guard].join("\n");
}

/** Seconds until the run must be asked to end for the money's sake; 0: now. */
export function findMoneyLimitS({
  limits: { money },
  graceS,
}: Pick<GuardSettings, "limits" | "graceS">): number | null {
  if (money === null) return null;
  const seconds = ((money.cap - money.spent) / money.dollarsPerHour) * 3600;
  return Math.max(0, seconds - graceS - STOP_MARGIN_S);
}

/** Hundredths of a second, the unit of the scripts' clock; empty: no limit. */
function formatCs(seconds: number | null): string {
  return seconds === null ? "" : String(Math.ceil(seconds * 100));
}

/** For the guard's log. */
function describeLimits({ money, timeS, idle }: GuardLimits): string {
  const words = [
    money &&
      `at most ${formatDollars(money.cap)} at ${formatDollars(money.dollarsPerHour)} per hour, ${formatDollars(money.spent)} of it spent`,
    timeS !== null && `at most ${formatDuration(timeS)}`,
    idle && `stopped after ${formatDuration(idle.seconds)} with no GPU above ${idle.percent}%`,
  ].filter((word) => typeof word === "string");
  return words.join("; ") || "no limit of time or money";
}
