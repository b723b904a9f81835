import type { ProgressNotice } from "../../notify/notice.ts";
import type { Fleet } from "../fleet/fleet.ts";

/** Of a fleet of which nothing is left. */
export function makeFleetEndedNotice({ id, name, k, outcome, cause, endedAt }: Fleet): ProgressNotice {
  const isDrained = outcome?.isDrained === true;
  return {
    ...{ kind: "fleet", phase: "ended", subject: id, at: endedAt ?? "", isBad: !isDrained },
    title: isDrained ? `Fleet ${name}: all drained` : `Fleet ${name} has ended`,
    lines: [`fleet ${id}, ${k === 1 ? "1 agent" : `${k} agents`}`, ...(isDrained || !cause ? [] : [cause])],
  };
}
