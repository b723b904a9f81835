import { countOf } from "../../../base/count-of.ts";
import type { PayloadKind } from "../../../payload/observation.ts";
import type { CheckRow, Verdict } from "../check-row.ts";
import { type Evidence, stages } from "../evidence.ts";
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
    wants: "Every agent plays all its sessions to their end.",
    advice:
      "Leave it to the gateway to close a session; keep the logs with --keep FOLDER and look at where they end.",
    needs: others,
    judge: judgeWhole,
  };
}

function judgeWhole({ terms, sessions }: Evidence): Verdict {
  for (const stage of stages) {
    const whole = sessions.filter((session) => session.stage === stage && session.isWhole).length;
    if (whole < terms.agents)
      return fail(`${whole} of ${countOf(terms.agents, "agent")} played session "${stage}" to its end`);
  }
  return pass(countOf(sessions.length, "session"));
}
