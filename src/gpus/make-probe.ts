import { quoteCommand, quoteShell } from "../base/quote.ts";
import leaseFunctions from "./lease.sh";
import { PROBE_SECONDS } from "./parse-report.ts";
import probe from "./probe.sh";

export interface ProbeOptions {
  /** A random word of letters and digits, new for each call; `parseGpuReport` gets the same. */
  readonly token: string;
  /** How long nvidia-smi may take (default 15). */
  readonly seconds?: number;
  /** The Python of the run, asked on macOS for MPS (default `python3`). */
  readonly python?: readonly string[] | null;
  /** Where the leases lie, when it is not the machine's own folder. */
  readonly leaseFolder?: string;
}

/** The text of a script for `sh -s` that prints all about the GPUs of a host; it may stand inside a longer one. */
export function makeGpuProbe(options: ProbeOptions): string {
  const { token, seconds = PROBE_SECONDS, python, leaseFolder } = options;
  return [
    `gpu_token=${quoteShell(token)}`,
    `gpu_seconds=${quoteShell(String(Math.ceil(seconds)))}`,
    `gpu_python() { exec ${quoteCommand(python ?? ["python3"])} "$@"; }`,
    ...(leaseFolder === undefined ? [] : [`SORTIE_LEASE_DIR=${quoteShell(leaseFolder)}`]),
    leaseFunctions,
    probe,
    "gpu_probe",
    "",
  ].join("\n");
}
