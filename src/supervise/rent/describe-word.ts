import { formatDollars } from "../../base/dollars.ts";
import { SortieError } from "../../base/error.ts";
import type { Silence } from "../../runs/run-record.ts";
import { makeSilence } from "../silence.ts";
import type { VendorWord } from "./instance.ts";

/** Why a rented machine keeps its answer, with what its vendor says; it holds no age, so that the same words are the same news. */
export function describeWord(
  number: number,
  word: VendorWord,
  fault: SortieError,
  { isGuarded = false }: { readonly isGuarded?: boolean } = {},
): Silence {
  const { status, message, since, dollarsPerHour, storageDollarsPerHour } = word;
  if (status === null)
    return { ...makeSilence(new SortieError("instance_away", { number, since })), dollarsPerHour: 0 };
  if (status === "running") {
    const details = {
      number,
      reason: fault.message,
      advice: fault.hint,
      price: formatDollars(dollarsPerHour),
    };
    const { reason, hint } = makeSilence(new SortieError("instance_silent", details));
    return { code: fault.code, reason, hint, dollarsPerHour };
  }
  const said = message === null ? status : `${status} (${message})`;
  const now = isStopped(status) ? storageDollarsPerHour : dollarsPerHour;
  const details = { number, status: said, since, price: describePrice(word) };
  const code = isGuarded && isStopped(status) ? "instance_stopped" : "instance_down";
  return {
    ...makeSilence(new SortieError(code, details)),
    ...(now !== null && { dollarsPerHour: now }),
  };
}

/** Of what has merely ended or is out of reach the vendor's bill alone tells which price it is. */
function describePrice({ status, dollarsPerHour, storageDollarsPerHour }: VendorWord): string {
  const storage =
    storageDollarsPerHour === null ? null : `${formatDollars(storageDollarsPerHour)} an hour for its disk`;
  if (isStopped(status)) return storage ?? "an unknown price for its disk";
  return `at most ${formatDollars(dollarsPerHour)} an hour${storage === null ? "" : `, and at least ${storage}`}`;
}

function isStopped(status: string | null): boolean {
  return status === "stopped" || status === "frozen";
}
