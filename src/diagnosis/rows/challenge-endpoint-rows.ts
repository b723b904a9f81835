import { defineContestRows, findOnce } from "../contest-row.ts";

/** The address that agents dial. */
export const challengeEndpointRows = defineContestRows([
  {
    code: "endpoint_bad",
    what: "endpoint",
    level: "bad",
    find: ({ endpoint: { source, fault } }) => findOnce(fault !== null, { source, fault: fault ?? "" }),
    cause: "What stands for the job's endpoint is no address of a gateway.",
    evidence: "{source}: {fault}",
    next: "Pass the tunnel_endpoint that came with the job, which begins with ws:// or wss://: `sortie agents launch --gateway-url URL`.",
  },
  {
    code: "endpoint_empty",
    what: "endpoint",
    level: "warning",
    find: ({ endpoint: { url, isDefault, told } }) =>
      findOnce(isDefault && told === null, { url: url ?? "" }),
    cause: "The challenge has named no endpoint for the job, so that agents dial the fixed default.",
    evidence: "TUNNEL_ENDPOINT is empty; {url} is taken",
    next: "If agents are not let in there, ask again in a minute: `sortie doctor --job`.",
  },
  {
    code: "endpoint_not_kept",
    what: "endpoint",
    level: "warning",
    find: ({ endpoint: { url, isDefault, told } }) =>
      findOnce(isDefault && told !== null && told !== url, { url: url ?? "", told: told ?? "" }),
    cause:
      "The challenge names an endpoint by now, but the state file has none: agents would dial the default.",
    evidence: "TUNNEL_ENDPOINT is empty; the challenge names {told}",
    next: "`sortie agents launch --gateway-url {told}`",
  },
  {
    code: "endpoint_differs",
    what: "endpoint",
    level: "warning",
    find: ({ endpoint: { url, source, isDefault, told } }) =>
      findOnce(!isDefault && url !== null && told !== null && told !== url, {
        ...{ url: url ?? "", source, told: told ?? "" },
      }),
    cause: "Agents would dial another endpoint than the one that the challenge names now.",
    evidence: "{url} ({source}); the challenge names {told}",
    next: "If they are not let in: `sortie agents launch --gateway-url {told}`.",
  },
  {
    code: "endpoint_unreachable",
    what: "endpoint",
    level: "bad",
    find: ({ endpoint: { url, unreachable } }) =>
      findOnce(unreachable !== null, { url: url ?? "", unreachable: unreachable ?? "" }),
    cause: "Nobody is reached at the endpoint, which may be another host or port than the API's.",
    evidence: "{url}: {unreachable}",
    next: "Check that a firewall lets it through, and that the address is the job's tunnel_endpoint. Agents that run dial again by themselves.",
  },
]);
