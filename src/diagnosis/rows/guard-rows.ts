import { defineRows } from "../diagnosis-row.ts";

const HOME =
  "What it saved is on the machine's disk: `sortie collect {run}` brings it home; a machine that stands still is started in the account first.";
const EVIDENCE = "stop asked for by the guard on the machine at {stopAt}";

/** Ends that the guard of a rented machine made: it asked the run to end, and then had the vendor stop the machine. */
export const guardRows = defineRows([
  {
    code: "guard_spend_cap",
    layer: "person",
    when: { reasons: ["stopped"], stoppedBy: "guard:spend_cap" },
    cause: "The guard on its machine stopped it: the money of the plan was spent.",
    evidence: EVIDENCE,
    next: `${HOME} With a higher --max-cost it lasts longer.`,
  },
  {
    code: "guard_time_limit",
    layer: "person",
    when: { reasons: ["stopped"], stoppedBy: "guard:time_limit" },
    cause: "The guard on its machine stopped it: the hours of the plan were over.",
    evidence: EVIDENCE,
    next: `${HOME} More --max-hours let it run longer.`,
  },
  {
    code: "guard_gpu_idle",
    layer: "program",
    when: { reasons: ["stopped"], stoppedBy: "guard:gpu_idle" },
    cause: "The guard on its machine stopped it: it lived, but its GPUs did nothing for too long.",
    evidence: EVIDENCE,
    next: `${HOME} The log may show what it waited for: \`sortie logs {run}\`.`,
  },
  {
    code: "guard_never_started",
    layer: "sortie",
    when: { reasons: ["stopped"], stoppedBy: "guard:never_started" },
    cause: "The guard on its machine gave it up: nobody from home came to start it.",
    evidence: EVIDENCE,
    next: "Nothing ran. Start it again with `sortie rerun {run}`.",
  },
]);
