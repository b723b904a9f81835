import { findAgentIdFault } from "../wire/agent-id.ts";

/** Where agents dial, on every gateway. */
export const TUNNEL_PATH = "/api/challenge/tunnel";

/** What an agent says of itself when it dials; empty where it says nothing. */
export interface DialRequest {
  readonly jobUuid: string;
  readonly agentId: string;
  readonly token: string;
}

/** A dial that cannot be one of an agent, and the HTTP status that it gets. */
export interface BadDial extends DialRequest {
  readonly fault: {
    readonly why: "no_such_path" | "bad_request";
    readonly status: 404 | 400;
    readonly says: string;
  };
}

/** Reads the request line and the Authorization header of an upgrade. Never throws. */
export function parseDial(
  target = "",
  authorization = "",
): (DialRequest & { readonly fault?: undefined }) | BadDial {
  const url = parseTarget(target);
  const dial = {
    jobUuid: url?.searchParams.get("job") ?? "",
    agentId: copyText(url?.searchParams.get("agent") ?? ""),
    token: readToken(authorization),
  };
  if (url?.pathname !== TUNNEL_PATH) {
    return { ...dial, fault: { why: "no_such_path", status: 404, says: `agents dial ${TUNNEL_PATH}` } };
  }
  const says = findQueryFault(dial);
  return says === undefined ? dial : { ...dial, fault: { why: "bad_request", status: 400, says } };
}

function parseTarget(target: string): URL | undefined {
  try {
    return new URL(target, "http://gateway");
  } catch {
    return undefined; // no path of ours
  }
}

function findQueryFault({ jobUuid, agentId }: DialRequest): string | undefined {
  if (jobUuid === "") return "the query names no job";
  const fault = findAgentIdFault(agentId);
  return fault && `the agent id of the query ${fault}`;
}

/**
 * The same text in memory of its own. A part of a text keeps all of it: here the whole address, for as long as the agent
 * lives.
 */
function copyText(text: string): string {
  return Buffer.from(text).toString();
}

function readToken(authorization: string): string {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
}
