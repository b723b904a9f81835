import type { Command } from "commander";
import type { RentFlags } from "../supervise/rent/plan-rental.ts";

/** What is to be rented, as commander reads it: texts, which are checked where the section's are. */
export interface RentOptions {
  gpuName?: string;
  gpuCount?: string;
  minGpuMemory?: string;
  disk?: string;
  cuda?: string;
  image?: string;
  maxPrice?: string;
  maxHours?: string;
  maxCost?: string;
}

/** Declares what a machine must have. */
export function describeNeedOptions(command: Command): Command {
  return command
    .option("--gpu-name <model>", "rent this GPU: RTX 4090")
    .option("--min-gpu-memory <size>", "rent a GPU with so much memory at least: 24G")
    .option("--disk <size>", "rent so much disk: 50G")
    .option("--cuda <version>", "rent where the driver runs this CUDA")
    .option("--image <name>", "the container image to rent with");
}

/** Declares what a machine may cost. */
export function describeCapOptions(command: Command): Command {
  return command
    .option("--max-price <dollars>", "the most that an hour may cost")
    .option("--max-hours <hours>", "how long it may be rented")
    .option("--max-cost <dollars>", "the most that may be spent in all; --yes spends under such a cap only");
}

export function readRentFlags(options: RentOptions): RentFlags {
  const { gpuName, gpuCount, minGpuMemory, disk, cuda, image, maxPrice, maxHours, maxCost } = options;
  const flags = {
    ...{ gpu_name: gpuName, gpu_count: gpuCount, min_gpu_memory: minGpuMemory, disk, cuda, image },
    ...{ max_price: maxPrice, max_hours: maxHours, max_cost: maxCost },
  };
  return Object.fromEntries(Object.entries(flags).filter(([, text]) => text !== undefined)) as RentFlags;
}
