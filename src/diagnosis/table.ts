import { type DiagnosisRow, defineRows } from "./diagnosis-row.ts";
import { commandRows } from "./rows/command-rows.ts";
import { compileRows } from "./rows/compile-rows.ts";
import { documentRows } from "./rows/document-rows.ts";
import { endRows } from "./rows/end-rows.ts";
import { environmentRows } from "./rows/environment-rows.ts";
import { gpuRows } from "./rows/gpu-rows.ts";
import { gpuWorkRows } from "./rows/gpu-work-rows.ts";
import { guardRows } from "./rows/guard-rows.ts";
import { hostRows } from "./rows/host-rows.ts";
import { installRows } from "./rows/install-rows.ts";
import { libraryRows } from "./rows/library-rows.ts";
import { memoryRows } from "./rows/memory-rows.ts";
import { packageRows } from "./rows/package-rows.ts";
import { pythonRows } from "./rows/python-rows.ts";
import { signalRows } from "./rows/signal-rows.ts";
import { weightRows } from "./rows/weight-rows.ts";

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
  ...installRows,
  ...gpuWorkRows,
  ...memoryRows,
  ...gpuRows,
  ...compileRows,
  ...libraryRows,
  ...packageRows,
  ...weightRows,
  ...documentRows,
  ...environmentRows,
  ...commandRows,
  ...hostRows,
  ...pythonRows,
  ...signalRows,
  ...guardRows,
  ...endRows,
];
