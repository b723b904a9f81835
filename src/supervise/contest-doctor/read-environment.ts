import { getProxyForUrl } from "proxy-from-env";
import { showUrl } from "../../base/show-url.ts";
import { isSameOrigin } from "../../challenge/base-url.ts";
import type { StateFile } from "../../challenge/state-file.ts";
import type { EnvironmentSymptoms } from "../../diagnosis/contest-symptoms.ts";
import type { Environment } from "../desk.ts";

const PROXIES = ["http_proxy", "https_proxy", "ws_proxy", "wss_proxy", "all_proxy"];

/** What this shell's variables would change for programs that heed them. `addresses`: of the API and of the tunnel. */
export function readEnvironment(
  env: Environment,
  { state, baseUrl, addresses }: { state: StateFile; baseUrl: string | null; addresses: readonly string[] },
): EnvironmentSymptoms {
  const proxied = addresses.filter((url) => getProxyForUrl(url.replace(/^ws/i, "http")) !== "");
  const other = env["BASE_URL"]?.trim() ?? "";
  const jobs = [env["JOB_UUID"]?.trim() ?? "", state.values.JOB_UUID ?? ""] as const;
  const isOtherJob = jobs[0] !== "" && jobs[1] !== "" && jobs[0] !== jobs[1];
  return {
    proxies: proxied.length === 0 ? [] : listProxies(env),
    proxied: [...new Set(proxied.map((url) => new URL(url).hostname))],
    otherBaseUrl: baseUrl !== null && isOther(other, baseUrl) ? showUrl(other) : null,
    otherJob: isOtherJob ? jobs[0] : null,
  };
}

/** Build tools have a BASE_URL too, which is a path. */
function isOther(text: string, baseUrl: string): boolean {
  return /^https?:\/\//i.test(text) && !isSameOrigin(text, baseUrl);
}

function listProxies(env: Environment) {
  return Object.entries(env)
    .filter(([name, value]) => PROXIES.includes(name.toLowerCase()) && value)
    .map(([name, value = ""]) => ({ name, host: findHost(value) }));
}

/** A proxy's name and password may stand before its host. */
function findHost(text: string): string {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  return URL.canParse(url) ? new URL(url).host : showUrl(text);
}
