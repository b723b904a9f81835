import { defineGroup } from "../define-command.ts";

export const command = defineGroup("wandb", {
  instrument: {
    summary: "write W&B logging into a script, or take it out again",
    load: () => import("./wandb/instrument.ts"),
  },
  sync: { summary: "send offline runs by your own wandb program", load: () => import("./wandb/sync.ts") },
  pull: { summary: "bring a run's curves and summary home", load: () => import("./wandb/pull.ts") },
});
