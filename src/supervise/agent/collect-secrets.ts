import { Secrets } from "../../tunnel/secrets.ts";
import type { Environment } from "../desk.ts";
import type { CheckedWish } from "./agent-wish.ts";

const VARIABLES = ["JOB_TOKEN", "CHALLENGE_TOKEN", "SORTIE_ACCESS_TOKEN", "CHALLENGE_PASSWORD"];

/**
 * All that an agent knows and must not say: each token that it could find, not only the one that it took, passwords, and
 * what stands in the query of its gateway. Servers and proxies may quote any of it.
 */
export function collectSecrets({ token, endpoint, proxy, state }: CheckedWish, env: Environment): Secrets {
  const { JOB_TOKEN = "", CHALLENGE_TOKEN = "" } = state.values;
  const found = VARIABLES.map((name) => env[name]?.trim() ?? "");
  const proxyUrl = proxy.url === undefined ? null : new URL(proxy.url);
  const passwords = proxyUrl === null ? [] : [proxyUrl.password, decodeQuietly(proxyUrl.password)];
  const query = [...new URL(endpoint.url).searchParams.values()];
  return new Secrets(token.token, ...found, JOB_TOKEN, CHALLENGE_TOKEN, ...passwords, ...query);
}

function decodeQuietly(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lonely percent sign
  }
}
