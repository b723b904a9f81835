import { describeFault } from "./error.ts";
import { makePrintable } from "./printable.ts";

/** Where nobody took the connection, the request was never sent. */
const UNSENT_CODES: readonly unknown[] = [
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"],
  ...["UND_ERR_CONNECT_TIMEOUT", "CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ...["ERR_TLS_CERT_ALTNAME_INVALID", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
];

/** Whether nothing of a request that `fetch` has failed at can have arrived. */
export function isNeverSent(thrown: unknown): boolean {
  const { code } = Object(findCause(thrown)) as { code?: unknown };
  return UNSENT_CODES.includes(code);
}

/** Why `fetch` has failed, printable: `fetch failed` alone helps nobody. */
export function describeConnectionFault(thrown: unknown): string {
  const cause = findCause(thrown);
  const { code } = Object(cause) as { code?: unknown };
  return makePrintable(describeFault(cause) || String(code ?? "the connection failed"));
}

function findCause(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
}
