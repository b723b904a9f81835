import { SortieError } from "../../base/error.ts";
import type { Environment } from "../desk.ts";
import { isCountedAsListed } from "./visible-gpus.ts";

/** `as-is`: whatever the environment shows the handler, without a lease of our own. */
export type GpuWish =
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "any" }
  | { readonly kind: "none"; readonly said: string }
  | { readonly kind: "as-is"; readonly said: string };

/**
 * Which GPU an agent is to have: by `--gpu`, else as `CUDA_VISIBLE_DEVICES` says, else, inside a run, the run's; else any.
 * @throws SortieError `value_bad`
 */
export function findGpuWish(named: string | undefined, env: Environment): GpuWish {
  if (named !== undefined) return readName(named.trim());
  const visible = env["CUDA_VISIBLE_DEVICES"]?.trim();
  if (env["SORTIE_RUN_ID"]) {
    const own = env["SORTIE_RUN_GPUS"];
    if (own && visible === undefined && !own.includes(",")) return { kind: "named", name: own };
    return { kind: "as-is", said: "the GPU of the run" };
  }
  if (visible === undefined) return { kind: "any" };
  if (visible === "" || visible === "-1")
    return { kind: "none", said: "CUDA_VISIBLE_DEVICES hides every one" };
  if (/^GPU-[\w-]+$/.test(visible)) return { kind: "named", name: visible };
  const isIndex = /^\d+$/.test(visible);
  if (isIndex && isCountedAsListed(env)) return { kind: "named", name: visible };
  const why = isIndex
    ? "which GPU that is only CUDA knows, unless CUDA_DEVICE_ORDER=PCI_BUS_ID is set"
    : "an agent leases one";
  return { kind: "as-is", said: `as CUDA_VISIBLE_DEVICES says (${visible}), without a lease: ${why}` };
}

function readName(name: string): GpuWish {
  if (name === "cpu") return { kind: "none", said: "as asked" };
  if (/^(\d+|GPU-[\w-]+)$/i.test(name)) return { kind: "named", name };
  throw new SortieError("value_bad", {
    what: "The GPU",
    value: name === "" ? "empty" : name,
    reason: "it is neither the index of a GPU, nor a UUID, nor cpu",
    advice: "`nvidia-smi` counts the GPUs from 0 on; `cpu` is for a handler that needs none.",
  });
}
