import { expect, it } from "vitest";
import { listNearGpus } from "./near-gpus.ts";

const MARKET = ["RTX 3090", "A100 SXM4", "A100 PCIE", "RTX 4090", "A100 SXM4"];

it.each([
  ["rtx4090", ["RTX 4090"]],
  ["A100", ["A100 SXM4", "A100 PCIE"]],
  ["RTX 4090 24GB", ["RTX 4090"]],
  ["RTX 4900", ["RTX 4090"]],
  ["H200", ["RTX 3090", "A100 SXM4", "A100 PCIE", "RTX 4090"]],
])("near to %s in the market", (wanted, near) => {
  expect(listNearGpus(wanted, MARKET)).toEqual(near);
});
