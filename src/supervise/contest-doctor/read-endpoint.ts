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
  /** As the submission's reply named it; null: not known. */
  readonly known: string | null;
  readonly told: string | null;
  readonly signal: AbortSignal;
}

/** What agents would dial, and whether anybody is there. A challenge on this machine is not at the fixed default. */
export async function readEndpoint({
  env,
  state,
  baseUrl,
  uuid,
  known,
  told,
  signal,
}: EndpointPlace): Promise<EndpointSymptoms> {
  const none = { url: null, source: "", isDefault: false, fault: null, told, unreachable: null };
  if (uuid === null) return none;
  try {
    const { url, said } = chooseEndpoint(uuid, { env, state, ...findOwn({ env, state, uuid, known }) });
    const isDefault = url === DEFAULT_TUNNEL_URL;
    const isElsewhere = isDefault && (told !== null || baseUrl === null || isLoopbackUrl(baseUrl));
    const unreachable = isElsewhere ? null : await probeEndpoint(url, signal);
    const source = url === known ? "as the submission was answered" : said;
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

/** What a fleet takes where neither environment nor state file names one. */
function findOwn({ env, state, uuid, known }: Pick<EndpointPlace, "env" | "state" | "uuid" | "known">) {
  const isOfFile = state.values.JOB_UUID === uuid && state.values.TUNNEL_ENDPOINT !== undefined;
  if (isOfFile || env["SIMUBOTIX_GATEWAY_URL"]?.trim() || known === null) return {};
  return { given: known };
}
