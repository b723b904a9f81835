import type { Json } from "./replies.ts";

/** What a host offers; the rest of the vendor's row is made from it. */
export interface DoubleOffer {
  readonly id: number;
  readonly gpuName: string;
  readonly gpuCount: number;
  readonly gpuMemoryMiB: number;
  readonly diskGb: number;
  /** Without storage. */
  readonly dollarsPerHour: number;
  readonly storageDollarsPerGbMonth: number;
  readonly cuda: number;
  readonly dlperf: number;
  readonly reliability: number;
  readonly location: string;
  readonly hoursLeft: number;
}

const HOURS_PER_MONTH = 720;

export const plainOffer: Omit<DoubleOffer, "id"> = {
  gpuName: "RTX 4090",
  gpuCount: 1,
  gpuMemoryMiB: 24_564,
  diskGb: 500,
  dollarsPerHour: 0.4,
  storageDollarsPerGbMonth: 0.15,
  cuda: 12.4,
  dlperf: 90,
  reliability: 0.995,
  location: "Sweden, SE",
  hoursLeft: 700,
};

/** The price of so much storage, in dollars per hour. */
export function findStoragePrice(offer: DoubleOffer, diskGb: number): number {
  return (offer.storageDollarsPerGbMonth * diskGb) / HOURS_PER_MONTH;
}

/** As the vendor writes it, the price reckoned for this much storage. */
export function makeOfferRow(offer: DoubleOffer, diskGb: number): Json {
  const storage = findStoragePrice(offer, diskGb);
  const total = offer.dollarsPerHour + storage;
  return {
    ...{ id: offer.id, ask_contract_id: offer.id, machine_id: offer.id % 10_000, host_id: 77 },
    ...{ gpu_name: offer.gpuName, num_gpus: offer.gpuCount, gpu_ram: offer.gpuMemoryMiB },
    ...{ gpu_total_ram: offer.gpuMemoryMiB * offer.gpuCount, gpu_frac: 1, compute_cap: 890 },
    ...{ cpu_name: "EPYC 7543", cpu_cores: 64, cpu_cores_effective: 16, cpu_ghz: 2.8, cpu_ram: 128_000 },
    ...{ disk_space: offer.diskGb, disk_bw: 3_000, pcie_bw: 22.5, inet_up: 800, inet_down: 900 },
    ...{ inet_up_cost: 0.003, inet_down_cost: 0.002, direct_port_count: 99, static_ip: true },
    ...{ dph_base: offer.dollarsPerHour, dph_total: total, min_bid: offer.dollarsPerHour / 2 },
    ...{ storage_cost: offer.storageDollarsPerGbMonth, storage_total_cost: storage },
    ...{ dlperf: offer.dlperf, dlperf_per_dphtotal: offer.dlperf / total, score: offer.dlperf / total },
    ...{ reliability: offer.reliability, reliability2: offer.reliability, geolocation: offer.location },
    ...{ cuda_max_good: offer.cuda, driver_version: "550.54.15", duration: offer.hoursLeft * 3_600 },
    ...{ verified: true, verification: "verified", external: false, rentable: true, rented: false },
  };
}
