import { needId, needList, needRow, type Row, readNumber } from "../read-value.ts";
import type { Caller } from "./caller.ts";

/** A host's wish for more money. Unless its renter accepts, the contract ends when it would have ended anyway. */
export interface PriceIncrease {
  readonly instance: number;
  /** Null: it stays. */
  readonly gpuDollarsPerHour: PriceStep | null;
  readonly storageDollarsPerGbMonth: PriceStep | null;
  /** When the contract at the old price ends; null where the vendor does not say. */
  readonly from: Date | null;
}

export interface PriceStep {
  readonly old: number | null;
  readonly new: number;
}

const SECONDS_PER_HOUR = 3_600;
const SECONDS_PER_MONTH = 30 * 24 * SECONDS_PER_HOUR;

export async function listPriceIncreases(caller: Caller): Promise<PriceIncrease[]> {
  const call = "show pending-price-increases";
  const reply = await caller.ask({ call, method: "GET", path: "/api/v0/instances/pending-price-increases/" });
  const key = "pending_price_increases";
  const rows = needRow(reply, `the reply to \`${call}\``)[key] ?? [];
  return needList(rows, `\`${key}\` of the reply to \`${call}\``).map(readIncrease);
}

function readIncrease(value: unknown): PriceIncrease {
  const row = needRow(value, "a price increase");
  const endS = readNumber(row["contract_end_date"]);
  return {
    instance: needId(row, "contract_id", "a price increase"),
    gpuDollarsPerHour: readStep(row, "gpu_costpersec", SECONDS_PER_HOUR),
    storageDollarsPerGbMonth: readStep(row, "disk_ram_costpersec", SECONDS_PER_MONTH),
    from: endS === null ? null : new Date(endS * 1000),
  };
}

/** The vendor writes dollars per second. */
function readStep(row: Row, key: string, seconds: number): PriceStep | null {
  const old = readNumber(row[`old_${key}`]);
  const wanted = readNumber(row[`new_${key}`]);
  return wanted === null ? null : { old: old === null ? null : old * seconds, new: wanted * seconds };
}
