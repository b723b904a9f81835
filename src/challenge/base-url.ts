import { SortieError } from "../base/error.ts";
import { showUrl } from "../base/show-url.ts";
import { DEFAULT_BASE_URL, isLoopbackUrl } from "./addresses.ts";
import type { StateFile } from "./state-file.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface BaseUrlSources {
  /** The value of `--base-url`; empty is as good as none. */
  readonly given?: string;
  readonly env: Env;
  readonly state: StateFile;
}

export interface ChosenBaseUrl {
  /** `http:` or `https:`, without a slash at its end. */
  readonly url: string;
  /** Where it was found, for people. */
  readonly said: string;
  /** A `BASE_URL` of the environment that says something else and is not heeded: a sentence, or null. */
  readonly note: string | null;
}

/**
 * The address of the challenge's HTTP API: the one given, else `SORTIE_CHALLENGE_URL`, else `BASE_URL` of the state file, else
 * the default, unless the file names one that cannot be read. `BASE_URL` of the environment is too common a name to be meant.
 * @throws SortieError `base_url_bad`, `base_url_unread`
 */
export function chooseBaseUrl({ given, env, state }: BaseUrlSources): ChosenBaseUrl {
  const named: readonly [string | undefined, string] = given?.trim()
    ? [given, "as given"]
    : findNamed(env, state);
  const [text = DEFAULT_BASE_URL, said] = named;
  if (named[0] === undefined && state.unread.BASE_URL !== undefined)
    throw new SortieError("base_url_unread", { file: state.path, line: state.unread.BASE_URL });
  const url = normalize(text, said);
  return { url, said, note: noteIgnored(env["BASE_URL"], url) };
}

/**
 * The same for an agent that refreshes its login; unchecked. Null for a gateway on this machine where no address is named:
 * its tokens are nothing to show to the challenge's own server. Null too where the file names one that cannot be read.
 */
export function findBaseUrl(env: Env, state: StateFile, tunnelUrl: string): string | null {
  const [named] = findNamed(env, state);
  const isUnknown = isLoopbackUrl(tunnelUrl) || state.unread.BASE_URL !== undefined;
  return named ?? (isUnknown ? null : DEFAULT_BASE_URL);
}

/** What is wrong with an address of the challenge, a clause; undefined where nothing is. */
export function findBaseUrlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return "it is no address";
  const { protocol, username, password, search, hash } = new URL(text);
  if (!/^https?:$/.test(protocol)) return "it begins with neither http:// nor https://";
  if (username !== "" || password !== "") return "there is a user or a password in it";
  return search === "" && hash === "" ? undefined : "there is a ? or a # in it";
}

/** Whether two addresses are of one server: a token of the one is nothing to show to the other. */
export function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

function findNamed(env: Env, { values, path }: StateFile): readonly [string | undefined, string] {
  if (env["SORTIE_CHALLENGE_URL"]?.trim()) return [env["SORTIE_CHALLENGE_URL"], "from SORTIE_CHALLENGE_URL"];
  if (values.BASE_URL?.trim()) return [values.BASE_URL, `BASE_URL of ${path}`];
  return [undefined, "the fixed default, since none was named"];
}

function normalize(text: string, said: string): string {
  const trimmed = text.trim();
  const reason = findBaseUrlFault(trimmed);
  if (reason !== undefined) throw new SortieError("base_url_bad", { url: showUrl(trimmed), said, reason });
  return new URL(trimmed).href.replace(/\/+$/, "");
}

/** Build tools set the same name to a path: only an address can have been meant for the challenge. */
function noteIgnored(named: string | undefined, url: string): string | null {
  if (!named?.trim() || findBaseUrlFault(named.trim()) !== undefined || isSameOrigin(named, url)) return null;
  return `BASE_URL of the environment (${showUrl(named)}) is not heeded; --base-url or SORTIE_CHALLENGE_URL is`;
}
