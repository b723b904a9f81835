/** What runs in the worker threads of `worker-seats.ts`: imported there as a program, bundled into one text. */
import { parentPort, workerData } from "node:worker_threads";
import type { BoardConfig } from "../config/gateway-config.ts";
import { makeBoardSimulator } from "./board-simulators.ts";
import { serveCases } from "./simulator-pair.ts";

const { boards } = workerData as { readonly boards: readonly BoardConfig[] };
if (parentPort !== null) serveCases(parentPort, makeBoardSimulator(boards));
