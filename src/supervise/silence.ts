import { SortieError } from "../base/error.ts";
import type { Silence } from "../runs/run-record.ts";

/** Whether a host over the network kept its answer, or could not be asked: nothing follows from that for what runs there. */
export function isSilence(fault: unknown): boolean {
  return fault instanceof SortieError && fault.code.startsWith("ssh_");
}

/** As records keep it. */
export function makeSilence({ code, message, hint }: SortieError): Silence {
  return { code, reason: message, hint };
}
