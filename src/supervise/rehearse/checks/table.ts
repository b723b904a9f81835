import type { PayloadKind } from "../../../payload/observation.ts";
import type { CheckRow } from "../check-row.ts";
import { drainChecks } from "./drain-checks.ts";
import { linkChecks } from "./link-checks.ts";
import { makeReplyChecks } from "./reply-checks.ts";
import { sessionChecks } from "./session-checks.ts";
import { speedChecks } from "./speed-checks.ts";
import { startChecks } from "./start-checks.ts";
import { fail, pass } from "./verdict.ts";

/** Every check of a rehearsal, in the order in which they are judged and shown. */
export function listChecks(payload: PayloadKind): readonly CheckRow[] {
  const rows = [
    ...startChecks,
    ...makeReplyChecks(payload),
    ...sessionChecks,
    ...linkChecks,
    ...drainChecks,
    ...speedChecks,
  ];
  return [...rows, makeLastCheck(rows.filter(({ level }) => level === "hard").map(({ name }) => name))];
}

/** A rehearsal that broke off for a reason that no other check knows has not passed. */
function makeLastCheck(others: readonly string[]): CheckRow {
  return {
    name: "whole-job",
    level: "hard",
    group: "drain",
    wants: "Every agent plays all its sessions, up to the drain.",
    advice: "Keep the logs with --keep FOLDER and look at where they end.",
    needs: others,
    judge: ({ terms, exchanges }) => {
      const drained = exchanges.filter(({ stage }) => stage === "drain").length;
      if (drained >= terms.agents) return pass();
      return fail(`${drained} of ${terms.agents} agents came to the drain`);
    },
  };
}
