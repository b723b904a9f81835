import { quotePath } from "../../../base/quote.ts";
import { makeSettings, readAnswer } from "../../../base/script.ts";
import { isNumber, isOneOf, isOrNull, isShape, isText, parseJson } from "../../../base/shape.ts";
import processFunctions from "../../../runs/scripts/process.sh";
import { type GuardSettings, makeGuardScript } from "./make-guard.ts";
import start from "./start-guard.sh";

/** `guard.json` in the guard's folder. */
export interface GuardState {
  /** `none`: it cannot do its work and has ended; `left`: it has ended, since nothing is left to guard. */
  readonly state: "watching" | "stopping" | "left" | "none";
  /**
   * Of `stopping`: `uncollected`, `never_started`, `gpu_idle`, `time_limit`, `spend_cap`; of `left`: `collected`; of `none`:
   * `no_key`, `no_client`, `other_instance`.
   */
  readonly reason: string | null;
  readonly pid: number;
  /** By the instance's own time of day. */
  readonly at: string;
  readonly elapsedS: number;
  /** How often the vendor was asked to stop the instance. */
  readonly asks: number;
}

/** The script, for `sh -s` on the instance, that puts the guard there and starts it, in the place of an earlier one. */
export function makeGuardStart(settings: GuardSettings, token: string): string {
  const head = makeSettings({ sortie_token: token, sortie_guard_text: makeGuardScript(settings) });
  return [`sortie_guard_dir=${quotePath(settings.guardFolder)}\n`, head, processFunctions, start].join("\n");
}

/**
 * A line for the instance's `onstart`, which the vendor runs whenever the container starts: after a restart of its host, which
 * ends the run but not the bill, the guard is there again.
 */
export function makeGuardOnstart(guardFolder: string): string {
  const guard = `${quotePath(guardFolder)}/guard.sh`;
  return `[ ! -e ${guard} ] || (setsid sh ${guard} </dev/null >/dev/null 2>&1 &)`;
}

/** The guard's first state, and its words for people; null: the script did not come to its end. */
export function parseGuardStart(stdout: string, token: string): { state: GuardState; words: string } | null {
  const { state = "", words = "" } = Object.fromEntries(readAnswer(stdout, token) ?? []);
  const read = parseGuardState(state);
  return read && { state: read, words };
}

/** The text of `guard.json`; null: it is none. */
export function parseGuardState(text: string): GuardState | null {
  return parseJson(text, isGuardState);
}

const isGuardState = isShape<GuardState>({
  state: isOneOf("watching", "stopping", "left", "none"),
  reason: isOrNull(isText),
  pid: isNumber,
  at: isText,
  elapsedS: isNumber,
  asks: isNumber,
});
