import { type DiagnosisRow, defineRows } from "./diagnosis-row.ts";
import { commandRows } from "./rows/command-rows.ts";
import { endRows } from "./rows/end-rows.ts";
import { gpuRows } from "./rows/gpu-rows.ts";
import { hostRows } from "./rows/host-rows.ts";
import { memoryRows } from "./rows/memory-rows.ts";
import { pythonRows } from "./rows/python-rows.ts";
import { signalRows } from "./rows/signal-rows.ts";

const successRows = defineRows([
  {
    code: "succeeded",
    layer: "program",
    when: { reasons: ["exited"], exitCodes: [0] },
    cause: "The program ended by itself, with code 0.",
    evidence: "exit code 0",
    next: "`sortie show {run}` lists its results.",
  },
]);

/** All symptoms, in the order in which they are tried: proofs before signs, what says most before what says little. */
export const diagnosisTable: readonly DiagnosisRow[] = [
  ...successRows,
  ...memoryRows,
  ...gpuRows,
  ...commandRows,
  ...hostRows,
  ...pythonRows,
  ...signalRows,
  ...endRows,
];
