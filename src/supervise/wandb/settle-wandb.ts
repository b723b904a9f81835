import type { WandbFacts } from "../../env/wandb/probe-wandb.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import type { WandbDraft } from "./prepare-wandb.ts";
import { PUBLIC_URL } from "./server-address.ts";
import type { WandbTerms } from "./wandb-terms.ts";

/** Where W&B keeps a run that it does not send, from the run's folder. */
const OFFLINE_RESULTS = "wandb/offline-run-*/**";
/** The numbers of a run that it does send, and whether all of them arrived. */
const ONLINE_RESULTS = ["wandb/run-*/run-*.wandb", "wandb/run-*/logs/debug-internal.log"];
/** So long W&B may hold the GPU with what it has still to send when a program is done. */
const FINISH_TIMEOUT_S = 120;

/** Where a key comes from, for people. */
const LOGIN_WORDS: Readonly<Record<NonNullable<WandbTerms["login"]>, string>> = {
  environment: "its environment",
  netrc: "its netrc file",
  flag: "--env",
  caller: "your WANDB_API_KEY",
  file: "the project's file",
};

type Settled = Omit<WandbTerms, "name" | "variables" | "change" | "way" | "forwarder">;

/** Everything about W&B that is decided before a run starts, from what its host has. */
export function settleWandb(draft: WandbDraft, facts: WandbFacts | null): Settled {
  const { settings, given, key, url } = draft;
  const login = chooseLogin(draft, facts);
  const chosen = chooseMode(draft, facts, login);
  return {
    project: given["WANDB_PROJECT"] || (settings.project as string),
    entity: given["WANDB_ENTITY"] || settings.entity,
    id: given["WANDB_RUN_ID"] || null,
    ...{ ...chosen, url, login },
    version: facts?.version ?? null,
    carried: key !== "flag" && (login === "file" || login === "caller") ? ["WANDB_API_KEY"] : [],
  };
}

/** A login of the host's own comes first: then no key has to travel. */
function chooseLogin({ key }: WandbDraft, facts: WandbFacts | null): WandbTerms["login"] {
  return key === "flag" ? "flag" : (facts?.login ?? key);
}

function chooseMode(
  { given, url }: WandbDraft,
  facts: WandbFacts | null,
  login: WandbTerms["login"],
): Pick<WandbTerms, "mode" | "why"> {
  const set = given["WANDB_MODE"];
  const { host } = new URL(url);
  if (set) return { mode: set, why: "WANDB_MODE says so" };
  if (login === null) return { mode: "offline", why: `nobody is logged in to ${host} there` };
  if (facts?.answers !== true) return { mode: "offline", why: `${host} does not answer from there` };
  return { mode: "online", why: `${host} answers, with the key of ${LOGIN_WORDS[login]}` };
}

/** The variables of a run beside its id; those that a person gives stay as they are. */
export function makeVariables(
  { given }: WandbDraft,
  { name, mode, url, project, entity }: Pick<WandbTerms, "name" | "mode" | "url" | "project" | "entity">,
): Record<string, string> {
  const all = {
    WANDB_PROJECT: project,
    ...(entity === null ? {} : { WANDB_ENTITY: entity }),
    WANDB_NAME: name,
    WANDB_RESUME: "allow",
    WANDB_MODE: mode,
    ...(mode === "online" ? { WANDB_FINISH_TIMEOUT: String(FINISH_TIMEOUT_S) } : {}),
    ...(url === PUBLIC_URL ? {} : { WANDB_BASE_URL: url }),
  };
  return Object.fromEntries(Object.entries(all).filter(([key]) => !given[key]));
}

/**
 * An offline run has to come home to be sent from there, as has the rest of one whose upload is cut short on another host;
 * one that cannot start online there is kept offline.
 */
export function addWandbResults(
  request: RunRequest,
  { mode }: Pick<WandbTerms, "mode">,
  { given, isRemote }: WandbDraft,
) {
  const wanted =
    mode === "offline"
      ? [OFFLINE_RESULTS]
      : mode === "online" && isRemote
        ? [...ONLINE_RESULTS, OFFLINE_RESULTS]
        : [];
  const added = given["WANDB_DIR"] ? [] : wanted.filter((glob) => !request.results.includes(glob));
  return added.length === 0 ? request : { ...request, results: [...request.results, ...added] };
}
