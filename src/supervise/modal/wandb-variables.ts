import type { WandbSettings } from "../choose-target.ts";

/** What a script at Modal is told of W&B: it logs by itself, with the key of one of its secrets. */
export function makeWandbVariables(
  wandb: WandbSettings | null,
  { runId, name }: { readonly runId: string; readonly name: string },
): Readonly<Record<string, string>> {
  if (wandb === null) return {};
  const { project, entity } = wandb;
  return {
    ...(project !== null && { WANDB_PROJECT: project }),
    ...(entity !== null && { WANDB_ENTITY: entity }),
    ...{ WANDB_NAME: name, WANDB_RUN_ID: runId },
  };
}
