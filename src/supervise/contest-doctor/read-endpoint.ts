import { SortieError } from "../../base/error.ts";
import { DEFAULT_TUNNEL_URL, isLoopbackUrl } from "../../challenge/addresses.ts";
import { chooseEndpoint } from "../../challenge/choose-endpoint.ts";
import type { StateFile } from "../../challenge/state-file.ts";
import type { EndpointSymptoms } from "../../diagnosis/contest-symptoms.ts";
import type { Environment } from "../desk.ts";
import { probeEndpoint } from "./probe-endpoint.ts";

interface EndpointPlace {
  readonly env: Environment;
  readonly state: StateFile;
  readonly baseUrl: string | null;
  readonly uuid: string | null;
  readonly told: string | null;
  readonly signal: AbortSignal;
}

/** What agents would dial, and whether anybody is there. A challenge on this machine is not at the fixed default. */
export async function readEndpoint({
  env,
  state,
  baseUrl,
  uuid,
  told,
  signal,
}: EndpointPlace): Promise<EndpointSymptoms> {
  const none = { url: null, source: "", isDefault: false, fault: null, told, unreachable: null };
  if (uuid === null) return none;
  try {
    const { url, said: source } = chooseEndpoint(uuid, { env, state });
    const isDefault = url === DEFAULT_TUNNEL_URL;
    const isElsewhere = isDefault && (told !== null || baseUrl === null || isLoopbackUrl(baseUrl));
    const unreachable = isElsewhere ? null : await probeEndpoint(url, signal);
    return { ...none, url, source, isDefault, unreachable };
  } catch (fault) {
    if (!(fault instanceof SortieError)) throw fault;
    const { reason, name, line, file } = fault.details;
    if (fault.code === "gateway_url_bad")
      return { ...none, source: String(fault.details["url"]), fault: String(reason) };
    return {
      ...none,
      source: `${file} line ${line}`,
      fault: `${name} is nothing that can be read without a shell`,
    };
  }
}
