import { makePrintable } from "../base/printable.ts";
import type { GpuFault, GpuReason } from "./gpu-report.ts";

/** How one call of nvidia-smi ended. */
export interface SmiAnswer {
  /** `timeout` when it was ended; undefined when the probe itself was cut off before. */
  readonly exit: string | undefined;
  /** What it printed, on both streams: faults are told on either. */
  readonly words: string;
}

interface FaultRow {
  readonly exit: string;
  readonly words: RegExp;
  readonly reason: GpuReason;
  readonly message: string;
}

/** The first row that fits wins; the numbers are nvidia-smi's own exit codes. */
const FAULTS: readonly FaultRow[] = [
  {
    exit: "18",
    words: /driver\/library version mismatch/i,
    reason: "driver_mismatch",
    message:
      "the NVIDIA driver in the kernel and its library have different versions, as after an update without a restart; restart the host",
  },
  {
    exit: "9",
    words: /couldn't communicate with the NVIDIA driver|driver not loaded/i,
    reason: "not_available",
    message:
      "nvidia-smi cannot reach the NVIDIA driver; load its kernel module, or install it again for this kernel",
  },
  {
    exit: "4",
    words: /insufficient permissions/i,
    reason: "insufficient_permissions",
    message: "this user may not use the NVIDIA driver; ask for access to /dev/nvidia*",
  },
  {
    exit: "15",
    words: /GPU is lost|fallen off the bus|determine the device handle/i,
    reason: "lost",
    message: "a GPU is lost, and nvidia-smi shows no other; restart the host",
  },
  {
    exit: "127",
    words: /^$/,
    reason: "not_available",
    message: "nvidia-smi is there but cannot be started",
  },
];

/** The fault of a host whose nvidia-smi gave no row. `seconds` is the time that it was given. */
export function findHostFault(answer: SmiAnswer, seconds: number): GpuFault {
  if (answer.exit === undefined || answer.exit === "timeout") {
    const message = `nvidia-smi gave no answer within ${seconds} s; the driver or a GPU hangs, and the host may need a restart`;
    return { reason: "timeout", message };
  }
  const row = FAULTS.find(({ words }) => answer.words && words.test(answer.words));
  const found = row ?? FAULTS.find(({ exit }) => exit === answer.exit);
  return found ? { reason: found.reason, message: found.message } : makeUnknownFault(answer);
}

/** nvidia-smi works and has no card to show. */
export function isWithoutDevices(answer: SmiAnswer): boolean {
  return answer.exit === "6" || /no devices were found/i.test(answer.words);
}

function makeUnknownFault({ exit, words }: SmiAnswer): GpuFault {
  const first = makePrintable(words.split("\n")[0] ?? "").slice(0, 200);
  const said = first ? `says “${first}”` : "shows no GPU and says nothing";
  return { reason: "not_available", message: `nvidia-smi ${said} (exit code ${exit})` };
}
