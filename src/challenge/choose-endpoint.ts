import { SortieError } from "../base/error.ts";
import { findGatewayUrlFault } from "../base/gateway-url.ts";
import { showUrl } from "../base/show-url.ts";
import { DEFAULT_TUNNEL_URL } from "./addresses.ts";
import type { StateFile } from "./state-file.ts";

export interface ChosenEndpoint {
  /** `ws:` or `wss:`, with whatever query it has. */
  readonly url: string;
  /** Where it was found, for the log. */
  readonly said: string;
}

export interface EndpointSources {
  /** The value of `--gateway-url`; empty is as good as none. */
  readonly given?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly state: StateFile;
}

/**
 * The gateway that an agent of this job dials: the one given, else `SIMUBOTIX_GATEWAY_URL`, else the state file's, if the
 * file is about this job, else the fixed default. A file that names one which cannot be read is no reason to dial the default.
 * @throws SortieError `gateway_url_bad`, `endpoint_unread`
 */
export function chooseEndpoint(jobUuid: string, { given, env, state }: EndpointSources): ChosenEndpoint {
  const { values, path } = state;
  const candidates: readonly [url: string | undefined, said: string][] = [
    [given, "as given"],
    [env["SIMUBOTIX_GATEWAY_URL"], "from SIMUBOTIX_GATEWAY_URL"],
    [values.JOB_UUID === jobUuid ? values.TUNNEL_ENDPOINT : undefined, `TUNNEL_ENDPOINT of ${path}`],
    [DEFAULT_TUNNEL_URL, "the fixed default, since none was named"],
  ];
  if (!given?.trim() && !env["SIMUBOTIX_GATEWAY_URL"]?.trim()) refuseUnread(state);
  const [url = "", said] = candidates.find(([text]) => text?.trim()) as [string, string];
  checkEndpoint(url.trim(), said);
  return { url: url.trim(), said };
}

/** Whose job the endpoint is for must be known as well. */
function refuseUnread({ values, unread, path }: StateFile): void {
  const line = unread.TUNNEL_ENDPOINT ?? (values.TUNNEL_ENDPOINT ? unread.JOB_UUID : undefined);
  if (line === undefined) return;
  const name = unread.TUNNEL_ENDPOINT === undefined ? "JOB_UUID" : "TUNNEL_ENDPOINT";
  throw new SortieError("endpoint_unread", { file: path, line, name });
}

function checkEndpoint(text: string, said: string): void {
  const reason = findGatewayUrlFault(text);
  if (reason !== undefined)
    throw new SortieError("gateway_url_bad", { url: `${showUrl(text)} (${said})`, reason });
}
