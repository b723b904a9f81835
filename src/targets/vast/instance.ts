import { type Endpoint, readDirectEndpoint, readProxyEndpoint } from "./find-endpoint.ts";
import {
  needId,
  needNumber,
  needPrice,
  needRow,
  needText,
  type Row,
  readNumber,
  readText,
} from "./read-value.ts";

/** One instance of the account, in our words. */
export interface VastInstance {
  readonly id: number;
  /** A run's id where Sortie rented it. */
  readonly label: string | null;
  /**
   * `provisioning` (nothing is known yet), `created`, `loading`, `running`, `stopped`, `frozen`, `exited`, `rebooting`,
   * `unknown` (no heartbeat), `offline` (its host is away), or a word that is not known here.
   */
  readonly status: string;
  /** What its renter wants: `running`, `stopped` or `frozen`. */
  readonly intendedStatus: string | null;
  /** The vendor's own words on the status, such as the image's progress. */
  readonly statusMessage: string | null;
  readonly gpuName: string;
  readonly gpuCount: number;
  /** Of one GPU. */
  readonly gpuMemoryMiB: number | null;
  readonly gpuLoadPercent: number | null;
  readonly cpuCores: number | null;
  readonly memoryMiB: number | null;
  readonly diskGb: number | null;
  /** All in all while it runs, storage included; traffic comes on top. */
  readonly dollarsPerHour: number;
  /** What it goes on costing while it is stopped. */
  readonly storageDollarsPerHour: number | null;
  readonly proxy: Endpoint | null;
  /** Null until the container's port 22 is mapped; it may change with every restart. */
  readonly direct: Endpoint | null;
  /** When the contract began: storage is paid from here on. */
  readonly createdAt: Date;
  /** Since the container started; null where the vendor does not say. */
  readonly upMinutes: number | null;
  readonly machine: number | null;
  readonly image: string | null;
  /** Interruptible: another renter may outbid it. */
  readonly isBid: boolean;
}

/** @throws SortieError `vast_reply_unreadable`, which names the key that is missing */
export function readInstance(value: unknown): VastInstance {
  const row = needRow(value, "an instance");
  const id = needId(row, "id", "an instance");
  const what = `the instance ${id}`;
  return {
    id,
    label: readText(row["label"]),
    ...readStatus(row),
    gpuName: needText(row, "gpu_name", what),
    gpuCount: needNumber(row, "num_gpus", what),
    gpuMemoryMiB: readNumber(row["gpu_ram"]),
    gpuLoadPercent: readNumber(row["gpu_util"]),
    cpuCores: readNumber(row["cpu_cores_effective"]),
    memoryMiB: readNumber(row["cpu_ram"]),
    diskGb: readNumber(row["disk_space"]),
    dollarsPerHour: needPrice(row, "dph_total", what),
    storageDollarsPerHour: readNumber(row["storage_total_cost"]),
    proxy: readProxyEndpoint(row),
    direct: readDirectEndpoint(row),
    createdAt: new Date(needNumber(row, "start_date", what) * 1000),
    upMinutes: readNumber(row["uptime_mins"]),
    machine: readNumber(row["machine_id"]),
    image: readText(row["image_uuid"]),
    isBid: row["is_bid"] === true,
  };
}

function readStatus(row: Row): Pick<VastInstance, "status" | "intendedStatus" | "statusMessage"> {
  return {
    status: readText(row["actual_status"]) ?? "provisioning",
    intendedStatus: readText(row["intended_status"]),
    statusMessage: readText(row["status_msg"]),
  };
}
