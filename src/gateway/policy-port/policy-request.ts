import type { PolicyDialect } from "../config/gateway-config.ts";

/** Where simulators dial on the listener that API and tunnel share; a listener of one dialect has it at `/` too. */
export const policyPaths: Readonly<Record<PolicyDialect, string>> = {
  openpi: "/api/simulator/policy/openpi",
  corobot: "/api/simulator/policy/corobot",
};

/** What a simulator says when it dials; undefined: it leaves that to the gateway. */
export interface PolicyRequest {
  readonly caseId?: number;
  readonly board?: string;
  /** Empty where a key is given in another way than ours. */
  readonly key?: string;
}

/** Why a simulator gets a status instead of a WebSocket. */
export interface PolicyRefusal {
  readonly status: 400 | 401 | 404 | 409 | 503;
  readonly says: string;
}

const known = ["case", "board"];

/** Reads the request line and the Authorization header of an upgrade. Never throws. */
export function parsePolicyRequest(
  dialect: PolicyDialect,
  target = "",
  authorization: string | undefined = undefined,
): { readonly request: PolicyRequest } | { readonly refusal: PolicyRefusal } {
  const url = parseTarget(target);
  const path = policyPaths[dialect];
  if (url === undefined || (url.pathname !== "/" && url.pathname !== path)) {
    return { refusal: { status: 404, says: `simulators dial ${path}` } };
  }
  const fault = findQueryFault(url.searchParams);
  if (fault !== undefined) return { refusal: { status: 400, says: fault } };
  const caseId = url.searchParams.get("case");
  return {
    request: {
      caseId: caseId === null ? undefined : Number(caseId),
      board: url.searchParams.get("board") ?? undefined,
      key: authorization === undefined ? undefined : readKey(authorization),
    },
  };
}

function parseTarget(target: string): URL | undefined {
  try {
    return new URL(target, "http://gateway");
  } catch {
    return undefined; // no path of ours
  }
}

/** A misspelt name would silently play another case than was meant. */
function findQueryFault(query: URLSearchParams): string | undefined {
  const names = [...query.keys()];
  if (names.some((name) => !known.includes(name))) return "the query may hold `case` and `board` alone";
  if (new Set(names).size < names.length) return "the query names a case or a board twice";
  const caseId = query.get("case") ?? "1";
  return /^[1-9]\d{0,14}$/.test(caseId) ? undefined : "the case of the query is not the number of a case";
}

function readKey(authorization: string): string {
  return /^api-key +(\S+) *$/i.exec(authorization)?.[1] ?? "";
}
