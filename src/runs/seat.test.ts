import { expect, it } from "vitest";
import { countSeatGpus, makeSeatVariables, type Seat } from "./seat.ts";

const SEAT: Omit<Seat, "runner" | "gpu"> = {
  ...{ fleet: "f1", number: 1, agentId: "id", restarts: 0, attemptEndedAt: null, notBefore: null },
};
const ORDER = { CUDA_DEVICE_ORDER: "PCI_BUS_ID" };
const HIDDEN_NOWHERE = { ...ORDER, CUDA_VISIBLE_DEVICES: null };

it.each<[Seat["runner"], Seat["gpu"], number | "none", object]>([
  ["handler", { uuid: "GPU-1", index: 3 }, 1, {}],
  ["script", { uuid: "GPU-1", index: 3 }, 1, { ...HIDDEN_NOWHERE, SORTIE_RUN_GPUS: "GPU-1" }],
  ["handler", { uuid: null, index: 3 }, 0, { ...ORDER, CUDA_VISIBLE_DEVICES: "3" }],
  ["script", { uuid: null, index: 3 }, 0, HIDDEN_NOWHERE],
  ["handler", null, "none", {}],
  ["script", null, "none", {}],
])("a %s on the GPU %j takes %s, and is told %j", (runner, gpu, count, told) => {
  const seat = { ...SEAT, runner, gpu };
  expect(countSeatGpus(seat)).toBe(count);
  expect(makeSeatVariables(seat)).toEqual({ SORTIE_AGENT_ID: "id", ...told });
});
