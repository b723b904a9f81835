import type { Desk } from "../../desk.ts";
import { findKey, PROJECT_FILE } from "../find-key.ts";
import { findWandb } from "../find-wandb.ts";
import type { WandbDraft } from "../prepare-wandb.ts";
import type { WandbTerms } from "../wandb-terms.ts";
import { holdsOurs } from "./holds-ours.ts";

/** How the numbers of a run get to W&B. */
export interface ChosenWay {
  readonly way: "script" | "own" | "forward" | "none";
  /** It is to be forwarded. */
  readonly isWanted: boolean;
  /** The program `wandb` on this machine; null: there is none, or it is not needed. */
  readonly forwarder: string | null;
}

export interface WayGround {
  /** The package is not in the run's environment. */
  readonly isMissing: boolean;
  /** The Python of the run's environment, where that is on this machine. */
  readonly pythonHere: string | null;
}

/** Forwarding is for who asks for it, and for a script that no line can be written into. */
export function chooseWay(
  desk: Pick<Desk, "env">,
  { script, way, given }: WandbDraft,
  { isMissing, pythonHere }: WayGround,
): ChosenWay {
  const cannot = script?.kind === "refused" || (script?.kind === "change" && isMissing);
  const isWanted = (way === "forward" || cannot) && isLogging(given["WANDB_MODE"]);
  const forwarder = isWanted ? findWandb(desk, pythonHere) : null;
  if (forwarder !== null) return { way: "forward", isWanted, forwarder };
  if (isWanted && script?.kind !== "done" && !holdsOurs(script)) return { way: "none", isWanted, forwarder };
  return { way: script?.kind === "change" && !isWanted ? "script" : "own", isWanted, forwarder };
}

/** A person may have turned W&B off for the run. */
function isLogging(mode: string | undefined): boolean {
  return !mode || mode === "online" || mode === "offline";
}

/** Where the key lies on this machine that would send the run from here; null: there is none. */
export async function findHomeLogin(
  desk: Pick<Desk, "env">,
  url: string,
  cwd: string,
): Promise<WandbTerms["login"]> {
  const source = (await findKey(desk, url, cwd))?.source ?? null;
  if (source === null) return null;
  if (source === PROJECT_FILE) return "file";
  return source === "netrc" ? "netrc" : "caller";
}

/** Where forwarded numbers are sent is decided by who is logged in here; no key travels. */
export function settleForward(
  { given, url }: WandbDraft,
  login: WandbTerms["login"],
): Pick<WandbTerms, "mode" | "why" | "login" | "carried"> {
  const { host } = new URL(url);
  const kept = { login, carried: [] };
  if (given["WANDB_MODE"] === "offline") return { mode: "offline", why: "WANDB_MODE says so", ...kept };
  if (login === null)
    return { mode: "offline", why: `nobody is logged in to ${host} on this machine`, ...kept };
  const places = { netrc: "your netrc file", file: "the project's file" } as const;
  const place = login === "netrc" || login === "file" ? places[login] : "your WANDB_API_KEY";
  return {
    mode: "online",
    why: `sent from this machine once the run has ended, with the key of ${place}`,
    ...kept,
  };
}
