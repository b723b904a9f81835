import { needId, needNumber, needPrice, needRow, needText, readNumber, readText } from "./read-value.ts";

/** One machine, or a part of one, that can be rented right now, in our words. It can be rented once. */
export interface Offer {
  /** What `createInstance` takes. */
  readonly id: number;
  readonly machine: number | null;
  readonly gpuName: string;
  readonly gpuCount: number;
  /** Of one GPU. */
  readonly gpuMemoryMiB: number;
  readonly cpuCores: number | null;
  readonly memoryMiB: number | null;
  readonly diskGb: number;
  /** The newest CUDA that its driver can run, such as 12.4. */
  readonly cuda: number | null;
  /** With the storage that was asked for; traffic comes on top. */
  readonly dollarsPerHour: number;
  readonly storageDollarsPerHour: number | null;
  readonly dollarsPerGbDown: number | null;
  readonly dollarsPerGbUp: number | null;
  /** The vendor's own measure of speed, and the same for a dollar per hour. */
  readonly dlperf: number | null;
  readonly dlperfPerDollar: number | null;
  /** From 0 to 1, as the vendor reckons it. */
  readonly reliability: number | null;
  /** As the vendor writes it: `Sweden, SE`. */
  readonly location: string | null;
  /** Two letters. */
  readonly country: string | null;
  readonly megabitsDown: number | null;
  readonly megabitsUp: number | null;
  /** How long it may be rented at most from now. */
  readonly hoursLeft: number | null;
  /** Ports that reach a container directly. */
  readonly directPorts: number | null;
}

/** @throws SortieError `vast_reply_unreadable`, which names the key that is missing */
export function readOffer(value: unknown): Offer {
  const row = needRow(value, "an offer");
  const id = needId(row, "id", "an offer");
  const what = `the offer ${id}`;
  const location = readText(row["geolocation"]);
  const seconds = readNumber(row["duration"]);
  return {
    id,
    machine: readNumber(row["machine_id"]),
    gpuName: needText(row, "gpu_name", what),
    gpuCount: needNumber(row, "num_gpus", what),
    gpuMemoryMiB: needNumber(row, "gpu_ram", what),
    cpuCores: readNumber(row["cpu_cores_effective"]),
    memoryMiB: readNumber(row["cpu_ram"]),
    diskGb: needNumber(row, "disk_space", what),
    cuda: readNumber(row["cuda_max_good"]),
    dollarsPerHour: needPrice(row, "dph_total", what),
    storageDollarsPerHour: readNumber(row["storage_total_cost"]),
    dollarsPerGbDown: readNumber(row["inet_down_cost"]),
    dollarsPerGbUp: readNumber(row["inet_up_cost"]),
    dlperf: readNumber(row["dlperf"]),
    dlperfPerDollar: readNumber(row["dlperf_per_dphtotal"]),
    reliability: readNumber(row["reliability"]) ?? readNumber(row["reliability2"]),
    location,
    country: /\b([A-Z]{2})$/.exec(location ?? "")?.[1] ?? null,
    megabitsDown: readNumber(row["inet_down"]),
    megabitsUp: readNumber(row["inet_up"]),
    hoursLeft: seconds === null ? null : seconds / 3600,
    directPorts: readNumber(row["direct_port_count"]),
  };
}
