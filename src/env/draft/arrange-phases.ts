import { findRequirementName } from "./requirement-name.ts";
import type { Source, Taken } from "./source.ts";

/** Built against the torch that is installed already: in one call with it, their build would not find it. */
const BUILT_AGAINST_TORCH = new Set(
  [
    "apex auto-gptq causal-conv1d deepspeed detectron2 diff-gaussian-rasterization flash-attn flash-attention",
    "grouped-gemm gsplat mamba-ssm megablocks minkowskiengine natten nvdiffrast pyg-lib pytorch3d simple-knn",
    "tiny-cuda-nn tinycudann torch-cluster torch-scatter torch-sparse torch-spline-conv transformer-engine xformers",
  ].flatMap((line) => line.split(" ")),
);
const BUILD_TOOLS = ["ninja", "packaging", "setuptools", "wheel"];

export interface Phase {
  /** For the reader; null: nothing to say. */
  readonly why: string | null;
  readonly entries: readonly Taken[];
}

/** One phase of what is required, sorted; one of what is built against torch; one of the project itself. */
export function arrangePhases({ options, requirements, editables }: Source): Phase[] {
  const isLate = ({ text }: Taken) => BUILT_AGAINST_TORCH.has(findRequirementName(text) ?? "");
  const late = requirements.filter(isLate);
  const first = requirements.filter((entry) => !isLate(entry));
  const tools =
    late.length === 0
      ? []
      : BUILD_TOOLS.filter((name) => !first.some(({ text }) => findRequirementName(text) === name));
  const added = tools.map((text) => ({ text, from: "what the next phase is built with" }));
  const isolation = { text: "--no-build-isolation", from: "so that its build finds torch" };
  return [
    { why: null, entries: [...first, ...added] },
    {
      why: "Built against the torch of the phase before.",
      entries: late.length === 0 ? [] : [isolation, ...late],
    },
    { why: "The project itself.", entries: editables },
  ]
    .filter(({ entries }) => entries.length > 0)
    .map(({ why, entries }) => ({ why, entries: [...removeDoubles(options), ...sortEntries(entries)] }));
}

function sortEntries(entries: readonly Taken[]): Taken[] {
  const key = ({ text }: Taken) => text.toLowerCase();
  return removeDoubles(entries).sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

function removeDoubles(entries: readonly Taken[]): Taken[] {
  return entries.filter(({ text }, index) => entries.findIndex((other) => other.text === text) === index);
}
