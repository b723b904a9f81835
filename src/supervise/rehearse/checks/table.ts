import type { PayloadKind } from "../../../payload/observation.ts";
import type { CheckRow } from "../check-row.ts";
import { drainChecks } from "./drain-checks.ts";
import { linkChecks } from "./link-checks.ts";
import { makeReplyChecks } from "./reply-checks.ts";
import { sessionChecks } from "./session-checks.ts";
import { speedChecks } from "./speed-checks.ts";
import { startChecks } from "./start-checks.ts";

/** Every check of a rehearsal, in the order in which they are judged and shown. */
export function listChecks(payload: PayloadKind): readonly CheckRow[] {
  return [
    ...startChecks,
    ...makeReplyChecks(payload),
    ...sessionChecks,
    ...linkChecks,
    ...drainChecks,
    ...speedChecks,
  ];
}
